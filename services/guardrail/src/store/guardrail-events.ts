import { aggregateEvents } from '@sluice/boot/aggregate-events';
import { guardrail } from '../domain/guardrail/decide.ts';
import { guardrailStream } from '../domain/guardrail/events.ts';

/** In version 1 filters read requests alone, and how a scan fails was no choice. */
const withFilterModes = (data: Record<string, unknown>) => ({
  ...data,
  policy: { ...(data['policy'] as object), scanOutput: null, failMode: null },
});

/** The events of guardrails, those of each guardrail under its id. */
export const guardrailEvents = aggregateEvents(guardrail, guardrailStream, {
  GuardrailCreated: [withFilterModes],
  DefaultGuardrailMaterialized: [withFilterModes],
});
