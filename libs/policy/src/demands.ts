/** Families of models whose makers are asked to retain nothing; `other` is every one not named. */
export const modelFamilies = ['anthropic', 'openai', 'google', 'xai', 'other'] as const;
export type ModelFamily = (typeof modelFamilies)[number];

const filterActions = ['flag', 'redact', 'block'] as const;
export type FilterAction = (typeof filterActions)[number];

/** Reads an action. One that is unknown counts as the strongest. */
export function filterActionOf(action: string): FilterAction {
  return filterActions.find((one) => one === action) ?? 'block';
}

/** The unit of output that filters wait for where they cannot work on a stream. */
const outputUnits = ['sentence', 'end'] as const;
export type ScanOutput = (typeof outputUnits)[number];

/** Reads `scan_output`. A value that is unknown counts as the strongest. */
export function readScanOutput(value: string | undefined): ScanOutput | null {
  if (value === undefined) return null;
  return outputUnits.find((one) => one === value) ?? 'end';
}

const failModes = ['block', 'pass'] as const;
/** Decides whether a text that content filters could not scan is refused or sent. */
export type FailMode = (typeof failModes)[number];

/** Reads `fail_mode`. A value that is unknown counts as the strongest. */
export function readFailMode(value: string | undefined): FailMode | null {
  if (value === undefined) return null;
  return failModes.find((one) => one === value) ?? 'block';
}

export type ScanScope = 'user_only' | 'all_messages';

export interface BuiltinFilter {
  readonly slug: string;
  readonly action: FilterAction;
  /** null where a filter has none. */
  readonly scanScope: ScanScope | null;
}

export interface CustomFilter {
  readonly pattern: string;
  readonly action: FilterAction;
  readonly label: string | null;
}

/**
 * The demands of one side, besides its budget: a guardrail, the settings of the account, or the request itself. null:
 * no demand of the kind. A list is never empty.
 */
export interface Demands {
  readonly allowedProviders: readonly string[] | null;
  readonly ignoredProviders: readonly string[] | null;
  readonly allowedModels: readonly string[] | null;
  readonly ignoredModels: readonly string[] | null;
  /** true: no endpoint that retains anything. */
  readonly zeroRetention: Readonly<Record<ModelFamily, boolean | null>>;
  /** false: no endpoint that trains on prompts; true allows as far as the others do. */
  readonly paidTraining: boolean | null;
  readonly freeTraining: boolean | null;
  /** false: no free endpoint that publishes prompts. */
  readonly freePublication: boolean | null;
  readonly dataRegions: readonly string[] | null;
  readonly builtinFilters: readonly BuiltinFilter[];
  readonly customFilters: readonly CustomFilter[];
  /** null: the output is not scanned. Without a filter it has no effect, like the next. */
  readonly scanOutput: ScanOutput | null;
  /** null: patterns block a text that could not be scanned, entities alone let it pass. */
  readonly failMode: FailMode | null;
}
