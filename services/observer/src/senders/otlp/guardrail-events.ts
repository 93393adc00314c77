import type { FinishedGeneration, GuardrailEvent } from '../../domain/generation.ts';
import { definedOf, type SpanEvent, timeOf } from './span.ts';

/** Returns an event of the request's span for each detection of a guardrail. None has the text that was found. */
export function guardrailEvents(generation: FinishedGeneration): readonly SpanEvent[] {
  const events = generation.guardrailEvents.map((event) => ({
    name: 'sluice.guardrail.detected',
    time: timeOf(timeMsOf(event, generation)),
    attributes: definedOf({
      'sluice.guardrail.stage': event.stage,
      'sluice.guardrail.id': event.guardrailId,
      'sluice.guardrail.scope': event.guardrailScope,
      'sluice.guardrail.filter': event.filter,
      'sluice.guardrail.label': event.label,
      'sluice.guardrail.rule': event.rule,
      'sluice.guardrail.action': event.action,
      'sluice.guardrail.place': event.place,
      'sluice.guardrail.count': event.count,
    }),
  }));
  if (events.length > 0 || !generation.guardrailInvoked) return events;
  // The end of the response, which has the detections, did not come.
  return [{ name: 'sluice.guardrail.invoked', time: timeOf(generation.startedAtMs) }];
}

/** A stage is as exact as the time of a detection gets: the input of the first or of the second turn, or the end. */
function timeMsOf(
  { stage }: GuardrailEvent,
  { startedAtMs, completedAtMs, turns }: FinishedGeneration,
): number {
  if (stage === 'output') return completedAtMs;
  return stage === 'added' ? (turns[1]?.startedAtMs ?? completedAtMs) : startedAtMs;
}
