import { deepEqual, equal } from 'node:assert/strict';
import type { AnswerPart } from '@sluice/inference';
import { test } from 'vitest';
import type { AnswerHead } from '../../dialect.ts';
import { EventWriter } from './event-writer.ts';
import { doneBytes } from '../../answer/sse.ts';
import { settlement } from '../../testing/write-answer.ts';
import { usualEcho } from '../testing/generation.ts';

const head: AnswerHead = {
  name: '1',
  model: 'maker/model',
  createdAt: 1_760_000_000,
  inputTokens: 7,
  dropsThinking: false,
};
const first: readonly AnswerPart[] = [
  { type: 'text-start', part: 0 },
  { type: 'text-delta', part: 0, delta: 'hello' },
  { type: 'text-end', part: 0 },
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

test('the events of a stream are numbered from its first parts to its end', () => {
  const { writer, written } = begun();
  equal(writer.status, undefined);
  const whole = textOf(...written, writer.end(settlement));
  equal(writer.status, 'completed');
  equal(whole.endsWith(Buffer.from(doneBytes).toString()), true);
  const numbers = numbersOf(whole);
  deepEqual(numbers, [...numbers.keys()]);
});

test('an answer that breaks numbers its error after what was written', () => {
  const { writer, written } = begun();
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
