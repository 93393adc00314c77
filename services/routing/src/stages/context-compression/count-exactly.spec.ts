import { deepEqual, equal, ok } from 'node:assert/strict';
import { countTokens as countGpt4 } from 'gpt-tokenizer/encoding/cl100k_base';
import { countTokens as countGpt5 } from 'gpt-tokenizer/encoding/o200k_base';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { countExactly } from './count-exactly.ts';
import { encodingOf } from './encodings.ts';

const prose =
  'The committee met in the morning, and "agreed" on 1,024 things: см. §4 — 天気がいい。\n';

describe('an exact count', () => {
  test.each([
    ['o200k_base', countGpt5],
    ['cl100k_base', countGpt4],
  ] as const)('is that of %s', async (encoding, expected) => {
    const texts = [
      '',
      'hello',
      prose,
      prose.repeat(50),
      JSON.stringify({ a: [1, 2, { b: prose }] }),
    ];
    deepEqual(
      await countExactly(texts, encoding),
      texts.map((text) => expected(text)),
    );
  });

  test('is nearly right where a text has long runs', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ minLength: 1, maxLength: 12 }),
        fc.nat(80),
        async (unit, times) => {
          const text = `${prose}${unit.repeat(times)} ${prose}`;
          const [counted = 0] = await countExactly([text], 'o200k_base');
          const exact = countGpt5(text, { disallowedSpecial: new Set() });
          const leeway = 4 * Math.ceil(text.length / 256);
          ok(Math.abs(counted - exact) <= leeway, `${counted} of ${exact}`);
        },
      ),
      { numRuns: 50 },
    );
  });

  test('ends soon for a million characters without a break', async () => {
    const [letters = 0, spaces = 0] = await countExactly(
      ['a'.repeat(1_000_000), ' '.repeat(1_000_000)],
      'o200k_base',
    );
    ok(letters >= 125_000 && spaces > 0, `${letters} ${spaces}`);
  });

  test('takes marks of the protocol as words', async () => {
    const [count = 0] = await countExactly(['<|endoftext|>'], 'o200k_base');
    ok(count > 1, String(count));
  });
});

test.each([
  ['openai/gpt-5.1-mini', 'GPT', 'o200k_base'],
  ['openai/gpt-4o', 'GPT', 'o200k_base'],
  ['openai/gpt-4.1', 'GPT', 'o200k_base'],
  ['openai/o3', 'GPT', 'o200k_base'],
  ['openai/gpt-4', 'GPT', 'cl100k_base'],
  ['openai/gpt-4-turbo', 'GPT', 'cl100k_base'],
  ['openai/gpt-3.5-turbo', 'GPT', 'cl100k_base'],
  ['openai/davinci', 'GPT', undefined],
  ['mine/anything', 'cl100k_base', 'cl100k_base'],
  ['anthropic/claude-sonnet-4.5', 'Claude', undefined],
  ['mine/gpt-5', undefined, undefined],
])('the encoding of %s with the tokenizer %s is %s', (id, tokenizer, expected) => {
  equal(encodingOf({ id, details: tokenizer === undefined ? {} : { tokenizer } }), expected);
});
