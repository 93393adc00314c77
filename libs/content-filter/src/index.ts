export {
  builtinSlugs,
  isBuiltinSlug,
  labels,
  type BuiltinFilter,
  type BuiltinSlug,
  type CustomFilter,
  type Engine,
  type FilterAction,
  type FilterSet,
} from './filter.ts';
export { compileFilters, filtersOf, type CompiledFilters, type Filter } from './compile-filters.ts';
export { redact, scan, type Detection, type Redaction, type ScanResult } from './scan.ts';
export { TooManyFindings } from './custom-patterns.ts';
export { compileStreamFilters, type Hold, type StreamFilters } from './stream/hold.ts';
