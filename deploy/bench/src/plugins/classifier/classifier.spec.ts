import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { type LabeledPrompt, readPrompts, requestOf } from './labeled-prompts.ts';
import { accuracyOf, score, scoreTable } from './score.ts';

// No assertion here has a prompt in its message: a failing test must not show the blind half.
const counted = (prompts: readonly LabeledPrompt[]) =>
  Object.entries(Object.groupBy(prompts, ({ task }) => task))
    .map(([task, of = []]) => `${task} ${of.length}`)
    .toSorted();

describe('the labeled prompts', () => {
  const [seen, blind] = [readPrompts('seen'), readPrompts('blind')];

  test('are 300 different ones of 33 task types, which both halves have alike', () => {
    equal(new Set([...seen, ...blind].map((row) => JSON.stringify(requestOf(row)))).size, 300);
    equal(counted(seen).length, 33);
    deepEqual(counted(blind), counted(seen));
  });

  test('are of several languages, some with system prompts, tools or pictures', () => {
    for (const half of [seen, blind]) {
      ok(half.filter(({ language }) => language !== 'en').length >= 20);
      ok(half.filter(({ system }) => system !== undefined).length >= 8);
      ok(half.every(({ task, tools }) => task.startsWith('agent:') === (tools !== undefined)));
      ok(half.every(({ task, image }) => task.startsWith('vision:') === (image === true)));
    }
  });
});

describe('a score', () => {
  const prompts = [
    { task: 'math', language: 'en', text: '1 + 1' },
    { task: 'math', language: 'en', text: 'hello' },
    { task: 'legal', language: 'en', text: 'a contract' },
  ];
  const classify = ({ text }: LabeledPrompt) => (text === '1 + 1' ? 'math' : 'legal');

  test('counts the prompts that are classified as labeled, of each type and in all', () => {
    const tallies = score(prompts, classify);
    deepEqual(Object.fromEntries(tallies), {
      legal: { found: 1, of: 1 },
      math: { found: 1, of: 2 },
      all: { found: 2, of: 3 },
    });
    equal(accuracyOf(tallies), 2 / 3);
    equal(accuracyOf(score([], classify)), 0);
  });

  test('a table has a row for each task type of both halves, and one of all', () => {
    const lines = scoreTable(() => 'math');
    equal(lines.length, 2 + 33 + 1);
    equal(lines.at(-1), '| all | 5 of 150 | 5 of 150 |');
  });
});
