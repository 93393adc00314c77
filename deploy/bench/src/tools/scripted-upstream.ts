import { setTimeout as delay } from 'node:timers/promises';
import type { InferenceRequest, StreamPart } from '@sluice/inference';
import type { RoutingDeps } from '@sluice/routing/service';

const usage = { inputTokens: 100, cachedTokens: 0, outputTokens: 20, reasoningTokens: 0 };
const sentence = 'It is time for tea, wherever the clock stands. '.repeat(4);

/**
 * Answers without a network: calls the first tool of the request until the conversation has so many results, then
 * answers with a text. The work of both sides of a comparison is that of the service alone.
 */
export function scriptedUpstream(options: {
  /** Calls before the text, by the words of the user. */
  readonly callsOf: (request: InferenceRequest) => number;
  /** The time that an answer takes. */
  readonly answerMs: () => number;
  /** The words of the text, each a delta that arrives alone. Absent: a text that arrives at once. */
  readonly words?: number;
}): RoutingDeps['upstream'] {
  return {
    async *call(_endpoint, request) {
      const waitMs = options.answerMs();
      if (waitMs > 0) await delay(waitMs);
      const results = request.items.filter(({ type }) => type === 'function-call-output').length;
      const [tool] = request.tools;
      const isCalling = tool?.type === 'function' && results < options.callsOf(request);
      if (isCalling) yield callOf(tool.name, results);
      else if (options.words === undefined) yield text;
      else yield* wordByWord(options.words);
    },
    countInput: async () => undefined,
    lookUp: async () => ({ type: 'unknown' }),
  };
}

const start = { type: 'response-start', upstreamId: 'up-1' } as const;

const text: readonly StreamPart[] = [
  start,
  { type: 'text-start', part: 0 },
  { type: 'text-delta', part: 0, delta: sentence },
  { type: 'text-end', part: 0 },
  { type: 'finish', reason: 'stop', nativeReason: 'stop', usage },
];

function* wordByWord(words: number): Generator<readonly StreamPart[]> {
  yield [start, { type: 'text-start', part: 0 }];
  for (let word = 0; word < words; word += 1)
    yield [{ type: 'text-delta', part: 0, delta: ' word.' }];
  yield [
    { type: 'text-end', part: 0 },
    { type: 'finish', reason: 'stop', nativeReason: 'stop', usage },
  ];
}

function callOf(name: string, number: number): readonly StreamPart[] {
  return [
    start,
    { type: 'tool-call-start', part: 0, callId: `call_${number}`, name },
    { type: 'tool-call-delta', part: 0, delta: '{}' },
    { type: 'tool-call-end', part: 0 },
    { type: 'finish', reason: 'tool-calls', nativeReason: 'tool_calls', usage },
  ];
}
