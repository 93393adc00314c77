import type { Demands, FailMode, ScanOutput } from './demands.ts';

/** The content filters of a guardrail and how they are applied. */
type Filtering = Pick<Demands, 'builtinFilters' | 'customFilters' | 'scanOutput' | 'failMode'>;

/**
 * Returns how far filters may hold the output back: to the end of the text if any guardrail says so. Guardrails without
 * filters do not count. null: the output is not scanned.
 */
export function outputScanOf(guardrails: readonly Filtering[]): ScanOutput | null {
  const units = guardrails.filter(hasFilters).map(({ scanOutput }) => scanOutput);
  if (units.includes('end')) return 'end';
  return units.includes('sentence') ? 'sentence' : null;
}

/**
 * Returns how a text is treated that could not be scanned: `block` if any guardrail says so, and `pass` only if all do.
 * Guardrails without filters do not count. null: the default.
 */
export function failModeOf(guardrails: readonly Filtering[]): FailMode | null {
  const modes = guardrails.filter(hasFilters).map(({ failMode }) => failMode);
  if (modes.includes('block')) return 'block';
  return modes.length === 0 || modes.includes(null) ? null : 'pass';
}

function hasFilters({ builtinFilters, customFilters }: Filtering): boolean {
  return builtinFilters.length > 0 || customFilters.length > 0;
}
