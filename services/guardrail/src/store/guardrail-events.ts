import { eventCodec } from '@sluice/es';
import type { GuardrailEvent } from '../domain/guardrail/events.ts';

/** In version 1 filters read requests alone, and how a scan fails was no choice. */
const withFilterModes = (data: Record<string, unknown>) => ({
  ...data,
  policy: { ...(data['policy'] as object), scanOutput: null, failMode: null },
});

/** How the events of a guardrail lie in streams `guardrail-<guardrail id>`. */
export const guardrailEvents = eventCodec<GuardrailEvent>({
  current: {
    GuardrailCreated: 2,
    DefaultGuardrailMaterialized: 2,
    GuardrailUpdated: 1,
    GuardrailDeleted: 1,
  },
  upcasters: {
    GuardrailCreated: { 1: withFilterModes },
    DefaultGuardrailMaterialized: { 1: withFilterModes },
  },
});

export const guardrailStreamPrefix = 'guardrail-';

/** The id that a stream of a guardrail is named after. */
export function guardrailIdOf(stream: string): string {
  return stream.slice(guardrailStreamPrefix.length);
}
