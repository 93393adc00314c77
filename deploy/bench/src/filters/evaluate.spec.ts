import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { evaluate, type EvaluationError, type LabelledSpan } from './evaluate.ts';

const text = 'Ada Lovelace, ada@x.io.';
const name: LabelledSpan = { start: 0, end: 12, label: 'PERSON_NAME' };
const email: LabelledSpan = { start: 14, end: 22, label: 'EMAIL' };

/** True, wrong and missed of one label, when `found` is found. */
function counts(label: string, found: readonly LabelledSpan[]) {
  const scores = evaluate([{ text, spans: [name, email] }], () => found);
  const score = scores.find((one) => one.label === label);
  return [score?.true, score?.wrong, score?.missed];
}

describe('an evaluation', () => {
  test.each<[string, LabelledSpan, number]>([
    ['the same place', email, 1],
    ['the same place with punctuation', { ...email, start: 13, end: 23 }, 1],
    ['a part', { ...email, end: 17 }, 0],
    ['more than the place', { ...email, start: 10 }, 0],
    ['another label', { ...email, label: 'PHONE' }, 0],
  ])('of an exact kind with %s', (_, found, expected) => {
    deepEqual(counts('EMAIL', [found])[0], expected);
  });

  test.each<[string, LabelledSpan, number]>([
    ['half of it', { ...name, end: 6 }, 1],
    ['less than half of it', { ...name, end: 5 }, 0],
    ['twice as much', { ...name, end: 23 }, 1],
  ])('of a fuzzy kind with %s', (_, found, expected) => {
    deepEqual(counts('PERSON_NAME', [found])[0], expected);
  });

  test('counts a place once', () => {
    deepEqual(counts('EMAIL', [email, email]), [1, 1, 0]);
  });

  test('counts what is found where nothing is', () => {
    const [score] = evaluate([{ text, spans: [] }], () => [email]);
    deepEqual([score?.wrong, score?.precision, score?.recall], [1, 0, 1]);
  });

  test('of nothing found has no recall', () => {
    for (const score of evaluate([{ text, spans: [name, email] }], () => [])) {
      equal(score.recall, 0);
      equal(score.precision, 1);
    }
  });

  test('tells each error', () => {
    const errors: EvaluationError[] = [];
    const found = { ...email, end: 17 };
    evaluate(
      [{ text, spans: [email] }],
      () => [found],
      (error) => errors.push(error),
    );
    deepEqual(
      errors.map(({ kind, span }) => [kind, span]),
      [
        ['wrong', found],
        ['missed', email],
      ],
    );
  });
});
