import type { EffectiveDemands } from './compose-demands.ts';
import type { ModelFamily } from './demands.ts';

/** A way in which a request could be served, as far as policies care. */
export interface Candidate {
  readonly provider: string;
  /** Canonical slug. */
  readonly model: string;
  readonly family: ModelFamily;
  readonly isFree: boolean;
  readonly retains: boolean;
  readonly trains: boolean;
  readonly publishes: boolean;
  /** The region where the request came in. */
  readonly region: string;
}

/** Why a candidate is out; `undefined`: nothing is against it. */
export type Objection =
  | 'provider'
  | 'model'
  | 'region'
  | 'retention'
  | 'training'
  | 'publication'
  | undefined;

/** The first demand that a candidate does not meet. */
export function objectionTo(demands: EffectiveDemands, candidate: Candidate): Objection {
  const { provider, model, region, isFree } = candidate;
  if (!isAmong(demands.allowedProviders, provider)) return 'provider';
  if (demands.ignoredProviders.has(provider)) return 'provider';
  if (!isAmong(demands.allowedModels, model)) return 'model';
  if (demands.ignoredModels.has(model)) return 'model';
  if (!isAmong(demands.dataRegions, region)) return 'region';
  if (candidate.retains && demands.zeroRetention[candidate.family]) return 'retention';
  const training = isFree ? demands.freeTraining : demands.paidTraining;
  if (candidate.trains && training === false) return 'training';
  if (isFree && candidate.publishes && demands.freePublication === false) return 'publication';
  return undefined;
}

function isAmong(allowed: ReadonlySet<string> | null, value: string): boolean {
  return allowed === null || allowed.has(value);
}
