import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { judgeScript } from './judge.ts';

const asks = (text: string, model = 'judge') =>
  judgeScript({
    model,
    turns: [{ role: 'user', text }],
    tools: [],
    toolChoice: 'auto',
    parallelToolCalls: true,
    outputTokensMax: undefined,
    streamed: false,
    includeUsage: false,
    isStored: false,
  });

function probabilities(message: object, ...rules: readonly string[]): readonly number[] {
  const numbered = rules.map((text, index) => ({ rule: index + 1, text }));
  const text = asks(JSON.stringify({ rules: numbered, message }))?.parts?.[0]?.text ?? '{}';
  const { verdicts } = JSON.parse(text) as {
    verdicts: readonly { rule: number; probability: number }[];
  };
  deepEqual(
    verdicts.map(({ rule }) => rule),
    numbered.map(({ rule }) => rule),
  );
  return verdicts.map(({ probability }) => probability);
}

describe('the judge', () => {
  test('finds words that must not be there, in texts and calls', () => {
    const rules = ['Never say "Banana" or "plum"', 'Do not call "f"', 'Be kind.'];
    deepEqual(probabilities({ text: 'a banana', tool_calls: [] }, ...rules), [0.95, 0.05, 0.05]);
    const calls = [{ name: 'x', arguments: '{"a":"plum"}' }];
    deepEqual(probabilities({ text: '', tool_calls: calls }, ...rules), [0.95, 0.05, 0.05]);
  });

  test('misses words that must be there', () => {
    deepEqual(
      probabilities({ text: 'yes, please' }, 'Say "please" and "yes"', 'Say "no, thanks"'),
      [0.05, 0.95],
    );
  });

  test('has no opinion of anything else', () => {
    equal(asks('hello'), undefined);
    equal(asks('{"rules": 1}'), undefined);
    equal(asks('{"rules": []}', 'echo'), undefined);
  });
});
