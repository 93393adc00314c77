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
  test.each(['completed', 'incomplete', 'cancelled'])('with status %s was served', (status) => {
    deepEqual(storedResponse({ status, usage }), {
      type: 'served',
      usage: counts,
      isFailed: false,
    });
  });

  test('has the searches that the provider charges for', () => {
    const search = { type: 'web_search_call', status: 'completed', action: { type: 'search' } };
    const output = [
      search,
      { ...search, action: { type: 'open_page' } },
      { ...search, status: 'failed' },
      search,
      { type: 'message' },
      null,
    ];
    deepEqual(storedResponse({ status: 'completed', usage, output }), {
      type: 'served',
      usage: { ...counts, webSearches: 2 },
      isFailed: false,
    });
  });

  test('that failed has no price', () => {
    const failed = { type: 'served', usage: counts, isFailed: true };
    deepEqual(storedResponse({ status: 'failed', usage }), failed);
  });

  test.each(['queued', 'in_progress'])('with status %s must be asked for again', (status) => {
    deepEqual(storedResponse({ status, usage: null }), { type: 'running' });
  });

  test.each([
    [{ status: 'cancelled', usage: null }],
    [{ status: 'completed', usage: { ...usage, output_tokens: -1 } }],
    [{ usage }],
    [undefined],
    ['text'],
  ])('with implausible usage is unknown: %j', (body) => deepEqual(storedResponse(body), unknown));
});

describe('a stored completion', () => {
  test('was served', () => {
    const body = { usage: { prompt_tokens: 3, completion_tokens: 4 } };
    const served = { inputTokens: 3, cachedTokens: 0, outputTokens: 4, reasoningTokens: 0 };
    deepEqual(storedCompletion(body), { type: 'served', usage: served, isFailed: false });
  });

  test.each([[{}], [undefined], [{ usage: { prompt_tokens: 'many' } }]])(
    'without counts is unknown',
    (body) => deepEqual(storedCompletion(body), unknown),
  );
});
