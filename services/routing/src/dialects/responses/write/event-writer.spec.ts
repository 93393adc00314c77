import { deepEqual, equal } from 'node:assert/strict';
import type { StreamPart } from '@sluice/inference';
import { test } from 'vitest';
import type { AnswerHead } from '../../dialect.ts';
import { EventWriter } from './event-writer.ts';
import { doneBytes } from '../../answer/sse.ts';
import { settlement, usualEcho } from '../testing/generation.ts';

const head: AnswerHead = {
  name: '1',
  model: 'maker/model',
  createdAt: 1_760_000_000,
  inputTokens: 7,
  dropsThinking: false,
};
const usage = { inputTokens: 1, cachedTokens: 0, outputTokens: 1, reasoningTokens: 0 };
const first: readonly StreamPart[] = [
  { type: 'text-start', part: 0 },
  { type: 'text-delta', part: 0, delta: 'hello' },
];
const last: readonly StreamPart[] = [
  { type: 'text-end', part: 0 },
  { type: 'finish', reason: 'stop', nativeReason: 'stop', usage },
];
const textOf = (...pieces: readonly Uint8Array[]) => Buffer.concat(pieces).toString();
const numbersOf = (text: string) =>
  [...text.matchAll(/"sequence_number":(\d+)/g)].map(([, number]) => Number(number));

/** Returns a stream with its first parts and the bytes so far. */
function begun() {
  const writer = new EventWriter(head, {
    echo: usualEcho,
    tellsEncrypted: false,
    tellsSummaries: false,
  });
  return { writer, written: [writer.begin([]), writer.write(first)] };
}

test('what the last parts add waits for the end where it may, and the bytes are the same', () => {
  const atOnce = begun();
  const early = atOnce.writer.write(last);
  const held = begun();
  equal(held.writer.write(last, { holdsLast: true }).byteLength, 0);
  equal(held.writer.status, 'completed');
  const whole = textOf(...held.written, held.writer.end(settlement));
  equal(whole, textOf(...atOnce.written, early, atOnce.writer.end(settlement)));
  equal(whole.endsWith(Buffer.from(doneBytes).toString()), true);
  const numbers = numbersOf(whole);
  deepEqual(numbers, [...numbers.keys()]);
});

test('an answer that breaks numbers its error after what was written, not after what was held', () => {
  const { writer, written } = begun();
  writer.write(last, { holdsLast: true });
  const aborted = writer.abort({
    type: 'error',
    code: 'internal',
    message: 'broken',
    providerCode: undefined,
    usage: undefined,
  });
  const numbers = numbersOf(textOf(...written, aborted));
  deepEqual(numbers, [...numbers.keys()]);
});
