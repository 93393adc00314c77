import { compileRules, type RuleValues } from './compile-rules.ts';
import type { FilterRules } from './filter-rules.ts';
import { isSampled } from './sampling.ts';

export const destinationRegions = ['global', 'europe', 'us'] as const;
export type DestinationRegion = (typeof destinationRegions)[number];

/** The settings that decide which generations a destination gets. */
export interface Selection {
  readonly destinationId: string;
  readonly isBroadcastEnabled: boolean;
  readonly enabled: boolean;
  readonly regions: readonly DestinationRegion[];
  /** null: all keys. Empty once all keys on it were deleted: none. */
  readonly apiKeyHashes: readonly string[] | null;
  readonly filterRules: FilterRules | null;
  readonly samplingRate: number;
}

/** A finished generation, as the choice of destinations sees it. */
export interface FinishedGeneration {
  /** The region whose endpoint served the request. */
  readonly region: DestinationRegion;
  readonly apiKeyHash: string;
  /** Empty: the request belongs to no session. */
  readonly sessionId: string;
  readonly traceId: string;
  readonly values: RuleValues;
}

/** The first condition that a generation fails, in the order in which they are examined. */
export type Refusal =
  | 'broadcast_off'
  | 'disabled'
  | 'other_region'
  | 'other_key'
  | 'filtered'
  | 'not_sampled';

/** Compiles the choice of a destination. The result returns undefined for a generation that the destination gets. */
export function compileSelection(
  selection: Selection,
): (generation: FinishedGeneration) => Refusal | undefined {
  const { destinationId, samplingRate, apiKeyHashes } = selection;
  const regions = new Set(selection.regions);
  const keys = apiKeyHashes && new Set(apiKeyHashes);
  const passesRules = compileRules(selection.filterRules);
  return ({ region, apiKeyHash, sessionId, traceId, values }) => {
    if (!selection.isBroadcastEnabled) return 'broadcast_off';
    if (!selection.enabled) return 'disabled';
    if (!regions.has(region)) return 'other_region';
    if (keys && !keys.has(apiKeyHash)) return 'other_key';
    if (!passesRules(values)) return 'filtered';
    return isSampled(destinationId, sessionId || traceId, samplingRate) ? undefined : 'not_sampled';
  };
}
