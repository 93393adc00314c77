import { invalidRequest, type Rejection } from '@sluice/errors';
import type { Decider } from '@sluice/es';
import type { UnsupportedFeaturesEvent } from './events.ts';
import { evolve, initial, type UnsupportedFeatures } from './state.ts';

/** Sets whether features that nothing serves are left out of the account's requests, or refused. */
export interface SetUnsupportedFeaturesMode {
  readonly type: 'SetUnsupportedFeaturesMode';
  readonly accountId: string;
  /** The value as the caller sent it. */
  readonly mode: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly occurredAt: string;
}

const modes = ['lenient', 'strict'] as const;

function decide(
  { accountId, mode: asked, occurredAt: setAt }: SetUnsupportedFeaturesMode,
  current: UnsupportedFeatures,
): readonly UnsupportedFeaturesEvent[] | Rejection<'invalid_request'> {
  const mode = modes.find((known) => known === asked);
  if (mode === undefined)
    return invalidRequest([{ path: 'unsupported_features', message: 'must be lenient or strict' }]);
  if (mode === current.mode) return [];
  return [{ type: 'UnsupportedFeaturesModeSet', data: { accountId, mode, setAt } }];
}

export const unsupportedFeatures: Decider<
  SetUnsupportedFeaturesMode,
  UnsupportedFeatures,
  UnsupportedFeaturesEvent,
  Rejection<'invalid_request'>
> = { category: 'unsupportedFeatures', initial, evolve, decide };
