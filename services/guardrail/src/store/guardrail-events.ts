import { eventCodec } from '@sluice/es';
import { guardrailStream } from '../domain/guardrail/events.ts';

/** In version 1 filters read requests alone, and how a scan fails was no choice. */
const withFilterModes = (data: Record<string, unknown>) => ({
  ...data,
  policy: { ...(data['policy'] as object), scanOutput: null, failMode: null },
});

/** The storage format of the events of a guardrail. */
export const guardrailEvents = eventCodec(guardrailStream, {
  GuardrailCreated: [withFilterModes],
  DefaultGuardrailMaterialized: [withFilterModes],
});

/** The id that a stream of a guardrail is named after. */
export function guardrailIdOf(stream: string): string {
  return stream.slice(guardrailEvents.streamPrefix.length);
}
