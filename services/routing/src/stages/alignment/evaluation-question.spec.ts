import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { evaluationQuestion, verdictOf } from './evaluation-question.ts';

const answer = (value: unknown) => verdictOf({ text: JSON.stringify(value) }, 2);
const both = [
  { rule: 2, probability: 1 },
  { rule: 1, probability: 0 },
];

describe('the question to the evaluator', () => {
  test('has the rules and the message as data, and a limit for each rule', () => {
    const message = { text: 'hello', tool_calls: [{ name: 'f', arguments: '{}' }] };
    const { model, items, fields } = evaluationQuestion('a/b', ['one', 'two'], message);
    equal(model, 'a/b');
    equal(fields?.['max_output_tokens'], 2_112);
    const [item] = items;
    const [part] = item?.type === 'message' ? item.content : [];
    deepEqual(JSON.parse(part?.type === 'text' ? part.text : ''), {
      rules: [
        { rule: 1, text: 'one' },
        { rule: 2, text: 'two' },
      ],
      message,
    });
  });
});

describe('the answer of the evaluator', () => {
  test('is read by the numbers of the rules', () => {
    deepEqual(answer({ verdicts: both }), { probabilities: [0, 1] });
    deepEqual(answer({ verdicts: both, more: 1 }), { probabilities: [0, 1] });
  });

  test.each([
    ['no object', []],
    ['no list', { verdicts: {} }],
    ['too short', { verdicts: both.slice(1) }],
    ['too long', { verdicts: [...both, { rule: 3, probability: 0 }] }],
    ['of one rule twice', { verdicts: [both[0], both[0]] }],
    ['of another rule', { verdicts: [both[0], { rule: 0, probability: 0 }] }],
    ['below 0', { verdicts: [both[0], { rule: 1, probability: -0.1 }] }],
    ['above 1', { verdicts: [both[0], { rule: 1, probability: 1.1 }] }],
    ['no number', { verdicts: [both[0], { rule: 1, probability: null }] }],
    ['no verdicts', { verdicts: [1, 2] }],
  ])('is malformed if it is %s', (_what, value) => {
    deepEqual(answer(value), { reason: 'malformed_answer' });
  });

  test('is malformed if it is no JSON', () =>
    deepEqual(verdictOf({ text: 'no' }, 1), { reason: 'malformed_answer' }));

  test('counts for nothing if it was cut, or failed', () => {
    const text = JSON.stringify({ verdicts: both });
    deepEqual(verdictOf({ text, isCut: true }, 2), { reason: 'cut' });
    const error = { code: 'timeout', status: 408, message: '' };
    deepEqual(verdictOf({ text, error }, 2), { reason: 'evaluator_error' });
  });
});
