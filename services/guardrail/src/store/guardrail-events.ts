import { eventCodec } from '@sluice/es';
import type { GuardrailEvent } from '../domain/guardrail/events.ts';

/** How the events of a guardrail lie in streams `guardrail-<guardrail id>`. */
export const guardrailEvents = eventCodec<GuardrailEvent>({
  current: {
    GuardrailCreated: 1,
    DefaultGuardrailMaterialized: 1,
    GuardrailUpdated: 1,
    GuardrailDeleted: 1,
  },
});

export const guardrailStreamPrefix = 'guardrail-';

/** The id that a stream of a guardrail is named after. */
export function guardrailIdOf(stream: string): string {
  return stream.slice(guardrailStreamPrefix.length);
}
