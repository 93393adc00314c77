import { Fault } from '@sluice/errors';
import { describe, expect, test } from 'vitest';
import { anthropicErrorEnvelope } from './anthropic-error.ts';
import { promptTooLong } from './prompt-too-long.ts';

describe('the words about a request that is too long', () => {
  test.each([
    [
      "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4000 in the messages, 1000 in the completion).",
      'prompt is too long: 5000 tokens > 4096 maximum (',
    ],
    [
      "The input (400,013 tokens) is longer than the model's context length (262,144 tokens).",
      'prompt is too long: 400013 tokens > 262144 maximum (',
    ],
    [
      'the request exceeds the available context size: 1407 tokens > 256 maximum',
      'prompt is too long: 1407 tokens > 256 maximum (',
    ],
    ['Prompt exceeds max length', 'prompt is too long: Prompt exceeds max length'],
    ['Range of input length should be [1, 6000]', 'prompt is too long: Range of'],
  ])('have the numbers of the provider: %s', (message, begin) => {
    const told = promptTooLong(message);
    expect(told.startsWith(begin)).toBe(true);
    expect(told).toContain(message);
  });

  test.each([
    'prompt is too long: 213462 tokens > 200000 maximum',
    'The request exceeds the context window of a/b: prompt is too long: 3 tokens > 2 maximum',
    'input length and `max_tokens` exceed context limit: 199323 + 20000 > 200000, decrease input length or `max_tokens` and try again',
  ])('stay if a client knows them: %s', (message) => {
    expect(promptTooLong(message)).toBe(message);
  });

  test('stand in an error of this format for this code alone', () => {
    const message = 'Prompt exceeds max length';
    const { error } = anthropicErrorEnvelope(
      new Fault('context_length_exceeded', { message }),
      undefined,
    );
    expect(error).toEqual({
      type: 'invalid_request_error',
      message: `prompt is too long: ${message}`,
      error_type: 'context_length_exceeded',
    });
    const other = anthropicErrorEnvelope(new Fault('invalid_request', { message }), undefined);
    expect(other.error.message).toBe(message);
  });
});
