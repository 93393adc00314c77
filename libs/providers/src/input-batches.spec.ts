import { deepEqual, equal, rejects } from 'node:assert/strict';
import { Fault } from '@sluice/errors';
import { inputCount, type InferenceRequest, type StreamPart } from '@sluice/inference';
import { describe, test } from 'vitest';
import { callBatches } from './input-batches.ts';
import { AnswerMemory } from './transport/answer-memory.ts';
import type { CallProgress } from './transport/call-progress.ts';
import { malformedPart } from './upstream-error.ts';

type Parts = readonly StreamPart[];
type Answer = Parts | Fault;

const counts = { inputTokens: 3, cachedTokens: 1, outputTokens: 0, reasoningTokens: 0 };
const finish = (usage: typeof counts | undefined): StreamPart => ({
  type: 'finish',
  reason: 'stop',
  nativeReason: undefined,
  usage,
});

function request(texts: readonly string[], tokens?: readonly number[][]): InferenceRequest {
  return {
    items: texts.map((text) => ({
      type: 'message',
      role: 'user',
      content: [{ type: 'text', text }],
    })),
    tools: [],
    toolChoice: { type: 'none' },
    parallelToolCalls: undefined,
    maxOutputTokens: 0,
    temperature: undefined,
    topP: undefined,
    embedding: { dimensions: 2, inputType: undefined, ...(tokens && { tokens }) },
    stream: false,
  };
}

/** Notes each call of the progress. */
class Noted implements CallProgress {
  readonly told: string[] = [];
  broken: Parts = [];
  sent = () => void this.told.push('sent');
  refused = () => void this.told.push('refused');
  answered = () => void this.told.push('answered');
  broke = (parts: Parts) => {
    this.told.push('broke');
    this.broken = parts;
  };
}

/** An upstream that takes two inputs at once, and answers the calls in turn. */
function upstream(answers: readonly Answer[], memoryBytes = 1_000) {
  const progress = new Noted();
  const memory = new AnswerMemory(memoryBytes);
  const calls: InferenceRequest[] = [];
  const bounds: (number | undefined)[] = [];
  async function* begin(
    batch: InferenceRequest,
    options: { progress: CallProgress; answerBytesMax?: number },
  ): AsyncGenerator<Parts, undefined> {
    const answer = answers[calls.length] ?? [];
    calls.push(batch);
    bounds.push(options.answerBytesMax);
    options.progress.sent();
    if (answer instanceof Fault) {
      options.progress.refused();
      throw answer;
    }
    options.progress.answered();
    if (answer.at(-1)?.type === 'error') {
      options.progress.broke(answer);
      throw new Fault('provider_unavailable');
    }
    yield answer;
  }
  const run = async (asked: InferenceRequest): Promise<Parts> => {
    const iterator = callBatches({
      request: asked,
      inputsMax: 2,
      options: { progress, answerBytesMax: 100 },
      memory,
      begin,
    });
    const all: StreamPart[] = [];
    for (let next = await iterator.next(); !next.done; next = await iterator.next())
      all.push(...next.value);
    return all;
  };
  return { run, calls, bounds, progress, memory };
}

const answer = (vectors: readonly string[], usage: typeof counts | undefined = counts): Parts => [
  { type: 'response-start', upstreamId: 'emb-1' },
  { type: 'embeddings', vectors },
  finish(usage),
];

const five = request(['a', 'b', 'c', 'd', 'e']);
const answers = [answer(['A', 'B']), answer(['C', 'D']), answer(['E'])];

describe('a request with more inputs than one call takes', () => {
  test('is split in order, and answered as one, with the sum of the usage', async () => {
    const { run, calls, progress, bounds, memory } = upstream(answers);
    deepEqual(await run(five), [
      { type: 'response-start', upstreamId: 'emb-1' },
      { type: 'embeddings', vectors: ['A', 'B', 'C', 'D', 'E'] },
      finish({ ...counts, inputTokens: 9, cachedTokens: 3 }),
    ]);
    deepEqual(calls.map(inputCount), [2, 2, 1]);
    deepEqual(
      calls.flatMap(({ items }) => items),
      five.items,
    );
    deepEqual([progress.told, bounds, memory.bytes], [['sent', 'answered'], [40, 40, 20], 0]);
  });

  test('is split by its tokens, if its inputs are tokens', async () => {
    const { run, calls } = upstream([answer(['A', 'B']), answer(['C'])]);
    await run(request([], [[1], [2, 3], [4]]));
    deepEqual(
      calls.map(({ embedding }) => embedding?.tokens),
      [[[1], [2, 3]], [[4]]],
    );
  });

  test('has no usage if one answer has none, and says which could not be read', async () => {
    const unread: StreamPart = { type: 'unread-usage', raw: '{"a":-1}' };
    const unknown = [{ type: 'response-start', upstreamId: undefined } as const, unread];
    const last: Parts = [...unknown, { type: 'embeddings', vectors: ['C'] }, finish(undefined)];
    const parts = await upstream([answer(['A', 'B']), last]).run(request(['a', 'b', 'c']));
    deepEqual(parts.slice(1), [
      unread,
      { type: 'embeddings', vectors: ['A', 'B', 'C'] },
      finish(undefined),
    ]);
  });

  test('is one call if its inputs are few enough', async () => {
    const { run, calls, bounds } = upstream(answers);
    deepEqual(await run(request(['a', 'b'])), answers[0]);
    deepEqual([calls.length, bounds], [1, [100]]);
  });
});

describe('a call that fails', () => {
  const refusal = new Fault('provider_rate_limited');

  test('first costs nothing: no later one is made', async () => {
    const { run, calls, progress } = upstream([refusal]);
    await rejects(run(five), refusal);
    deepEqual([calls.length, progress.told], [1, ['sent', 'refused']]);
  });

  test.each<[string, Answer, number]>([
    ['was refused', refusal, 6],
    ['broke', [malformedPart()], 6],
    ['broke with counts', [malformedPart(counts)], 9],
  ])('later leaves the counts of those before: it %s', async (_, failed, inputTokens) => {
    const { run, calls, progress, memory } = upstream([...answers.slice(0, 2), failed]);
    await rejects(run(five), Fault);
    equal(calls.length, 3);
    deepEqual(progress.told, ['sent', 'answered', 'broke']);
    const [part] = progress.broken;
    // A code of the provider would say that it charges nothing.
    equal(part?.type === 'error' && part.providerCode, undefined);
    equal(part?.type === 'error' && part.usage?.inputTokens, inputTokens);
    equal(memory.bytes, 0);
  });

  test('for want of memory makes no further call', async () => {
    const { run, calls, memory } = upstream(answers, 3);
    await rejects(run(five), { code: 'unavailable' });
    deepEqual([calls.length, memory.bytes], [2, 0]);
  });
});
