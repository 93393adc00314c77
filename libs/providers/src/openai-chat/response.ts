import type { StreamPart } from '@sluice/inference';
import { asObject } from '../json-reader.ts';
import { malformedPart } from '../upstream-error.ts';
import { wholeFailure } from '../whole-failure.ts';
import { initialChatState } from './state.ts';
import { chatStep, chatWholeEnd } from './stream.ts';
import { isPresent, readChatBody } from './wire.ts';

/** Returns the parts of a whole completion, read as a stream of one chunk. */
export function chatParts(body: unknown): readonly StreamPart[] {
  const object = asObject(body);
  if (!object) return [malformedPart()];
  if (isPresent(object['error'])) {
    return chatStep(initialChatState, { type: 'error', body: object })[1];
  }
  const failure = wholeFailure(object, ({ choices }) => Array.isArray(choices));
  if (failure) return failure;
  const chunk = readChatBody(object, 'message');
  if (!chunk.message) return [malformedPart()];
  const [state, parts] = chatStep(initialChatState, { type: 'chunk', chunk });
  const [, lastParts] = chatWholeEnd(state);
  return [...parts, ...lastParts];
}
