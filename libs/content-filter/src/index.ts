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
export type { Detection } from './detections.ts';
export { redact, scan, type Redaction, type ScanResult } from './scan.ts';
export {
  instructionsOf,
  type PatternTest,
  patternTest,
  TooManyFindings,
} from './custom-patterns.ts';
export {
  nanosecondsPerCharacter,
  nanosecondsPerStep,
  scanCostUs,
  stepCostUs,
  TooCostly,
} from './scan-cost.ts';
export {
  builtinStream,
  compileStreamFilters,
  type Hold,
  planStream,
  prefixHold,
  type PrefixPattern,
  type StreamFilters,
  type StreamPlan,
} from './stream/hold.ts';
export { readingsOf } from './views/text-views.ts';
