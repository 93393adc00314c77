import type { InferenceRequest } from '@sluice/inference';
import type { RequestDefaults } from '../../policy/policy.ts';
import type { CanonicalCall } from '../../request/call.ts';
import { readPreferences } from './read-preferences.ts';
import { readServiceFields } from './read-service-fields.ts';

type Body = Parameters<typeof readServiceFields>[0];
type Measured = Pick<InferenceRequest, 'items' | 'embedding' | 'ranking'>;

/** Returns the call of a request that measures its inputs: the model writes nothing and calls no tool. */
export function readMeasured(
  body: Body,
  defaults: RequestDefaults,
  measured: Measured,
): CanonicalCall {
  return {
    preferences: readPreferences(body, defaults, {
      tier: undefined,
      isDefaultTierOnly: false,
      wantsPro: false,
    }),
    inference: {
      ...measured,
      tools: [],
      toolChoice: { type: 'none' },
      parallelToolCalls: undefined,
      maxOutputTokens: 0,
      temperature: undefined,
      topP: undefined,
      stream: false,
    },
    ...readServiceFields(body, defaults),
  };
}
