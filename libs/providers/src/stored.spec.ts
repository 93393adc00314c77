import { deepEqual } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { storedCompletion } from './openai-chat/stored.ts';
import { storedResponse } from './openai-responses/stored.ts';

const usage = {
  input_tokens: 7,
  input_tokens_details: { cached_tokens: 2 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 1 },
};
const counts = { inputTokens: 7, cachedTokens: 2, outputTokens: 5, reasoningTokens: 1 };
const unknown = { type: 'unknown' };

describe('a stored response', () => {
  test.each(['completed', 'incomplete', 'cancelled'])('that is %s was served', (status) => {
    deepEqual(storedResponse({ status, usage }), {
      type: 'served',
      usage: counts,
      isFailed: false,
    });
  });

  test('that failed has no price', () => {
    const failed = { type: 'served', usage: counts, isFailed: true };
    deepEqual(storedResponse({ status: 'failed', usage }), failed);
  });

  test.each(['queued', 'in_progress'])('that is %s is asked for again', (status) => {
    deepEqual(storedResponse({ status, usage: null }), { type: 'running' });
  });

  test.each([
    [{ status: 'cancelled', usage: null }],
    [{ status: 'completed', usage: { ...usage, output_tokens: -1 } }],
    [{ usage }],
    [undefined],
    ['text'],
  ])('that says nothing that can be true is not known: %j', (body) =>
    deepEqual(storedResponse(body), unknown),
  );
});

describe('a stored completion', () => {
  test('was served', () => {
    const body = { usage: { prompt_tokens: 3, completion_tokens: 4 } };
    const served = { inputTokens: 3, cachedTokens: 0, outputTokens: 4, reasoningTokens: 0 };
    deepEqual(storedCompletion(body), { type: 'served', usage: served, isFailed: false });
  });

  test.each([[{}], [undefined], [{ usage: { prompt_tokens: 'many' } }]])(
    'without counts is not known',
    (body) => deepEqual(storedCompletion(body), unknown),
  );
});
