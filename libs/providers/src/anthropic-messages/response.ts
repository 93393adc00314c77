import type { StreamPart } from '@sluice/inference';
import { asArray, asObject, asWord } from '../json-reader.ts';
import type { Step } from '../stream-reader.ts';
import { malformedPart } from '../upstream-error.ts';
import { wholeFailure } from '../whole-failure.ts';
import { initialMessagesState, messagesStep, type MessagesState } from './stream.ts';
import { readBlock, readStopDetails, type MessagesEvent } from './wire.ts';

/** Reads a whole message as the events of an equal stream, so that both use the same code. */
export function messagesParts(body: unknown): readonly StreamPart[] {
  const message = asObject(body);
  if (!message) return [malformedPart()];
  if (message['type'] === 'error') return run([{ type: 'error', event: message }]);
  const failure = wholeFailure(message, ({ content }) => Array.isArray(content));
  if (failure) return failure;
  const blocks = asArray(message['content']).flatMap((block, index): readonly MessagesEvent[] => [
    { type: 'block-started', index, block: readBlock(asObject(block) ?? {}) },
    { type: 'block-ended', index },
  ]);
  return run([
    { type: 'started', id: asWord(message['id']), usage: message['usage'] },
    ...blocks,
    {
      type: 'ending',
      stopReason: asWord(message['stop_reason']),
      stopSequence: message['stop_sequence'],
      stopDetails: readStopDetails(message['stop_details']),
      usage: undefined,
    },
    { type: 'ended' },
  ]);
}

function run(events: readonly MessagesEvent[]): readonly StreamPart[] {
  let step: Step<MessagesState> = [initialMessagesState, []];
  const parts: StreamPart[] = [];
  for (const event of events) {
    step = messagesStep(step[0], event);
    parts.push(...step[1]);
  }
  return parts;
}
