import type { StreamPart } from '@sluice/inference';
import { finishPart } from '../finish-part.ts';
import { asObject } from '../json-reader.ts';
import { malformedPart } from '../upstream-error.ts';
import { unreadUsage } from '../usage-counts.ts';
import { chatStep, initialChatState } from './stream.ts';
import { chatUsage } from './usage.ts';
import { type ChatChunk, isPresent, readChatBody } from './wire.ts';

/** The parts of a whole completion. What is more than a text that came to its end is read as a stream of one chunk. */
export function chatParts(body: unknown): readonly StreamPart[] {
  const object = asObject(body);
  if (!object) return [malformedPart()];
  if (isPresent(object['error'])) {
    return chatStep(initialChatState, { type: 'error', body: object })[1];
  }
  const chunk = readChatBody(object, 'message');
  if (!chunk.message) return [malformedPart()];
  return textParts(chunk) ?? streamedParts(chunk);
}

function streamedParts(chunk: ChatChunk): readonly StreamPart[] {
  const [state, parts] = chatStep(initialChatState, { type: 'chunk', chunk });
  const [, lastParts] = chatStep(state, { type: 'done' });
  return [...parts, ...lastParts];
}

/** Reads the most common completion, a whole text, without the steps of a stream. */
function textParts(chunk: ChatChunk): readonly StreamPart[] | undefined {
  const { id, message, finishReason, usage: told, serviceTier } = chunk;
  if (finishReason !== 'stop' || !message?.text || message.toolCalls.length > 0) return undefined;
  if (message.refusal || message.reasoning) return undefined;
  const usage = chatUsage(asObject(told));
  return [
    { type: 'response-start', upstreamId: id },
    { type: 'text-start', part: 0 },
    { type: 'text-delta', part: 0, delta: message.text },
    { type: 'text-end', part: 0 },
    ...unreadUsage(told, usage),
    finishPart({
      reason: 'stop',
      nativeReason: finishReason,
      usage,
      hasOutput: true,
      serviceTier,
    }),
  ];
}
