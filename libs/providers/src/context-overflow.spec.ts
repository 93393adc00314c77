import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { namesOverflow, tellsOverflow } from './context-overflow.ts';
import type { Dialect } from './endpoint.ts';
import { translators } from './wire-body.ts';

interface Refusals {
  /** The words of servers about a request that does not fit, from public reports. */
  readonly overflows: readonly (readonly [server: string, message: string])[];
  /** Other refusals that name tokens, lengths or limits. */
  readonly others: readonly (readonly [about: string, message: string])[];
}

const { overflows, others } = JSON.parse(
  readFileSync(new URL('fixtures/refusals.json', import.meta.url), 'utf8'),
) as Refusals;
const sglang =
  "The input (400013 tokens) is longer than the model's context length (262144 tokens).";
const xai = "This model's maximum prompt length is 131072 but the request contains 537812 tokens.";

const dialects: readonly Dialect[] = [
  'openai-chat',
  'openai-responses',
  'anthropic-messages',
  'google-gemini',
];
const statuses = [400, 413, 422, 500];

describe('a request that does not fit into the context', () => {
  test.each(overflows)('is known from the words of %s: %s', (_, message) => {
    expect(tellsOverflow(message)).toBe(true);
    for (const dialect of dialects)
      for (const status of statuses) {
        const error = { message, type: 'invalid_request_error', code: status };
        expect(translators[dialect].error(status, { error })).toMatchObject({
          code: 'context_length_exceeded',
        });
      }
  });

  test.each(others)('is not meant by words about %s: %s', (_, message) => {
    expect(tellsOverflow(message)).toBe(false);
    for (const dialect of dialects)
      for (const status of [...statuses, 429])
        expect(translators[dialect].error(status, { error: { message } }).code).not.toBe(
          'context_length_exceeded',
        );
  });

  test.each([
    'context_length_exceeded',
    'exceed_context_size_error',
    'model_max_prompt_tokens_exceeded',
    'ContextWindowExceededError',
    'prompt_too_long',
  ])('is known from the code %s', (code) => {
    expect(namesOverflow(code)).toBe(true);
    for (const dialect of dialects)
      expect(translators[dialect].error(400, { error: { type: code, message: 'no' } }).code).toBe(
        'context_length_exceeded',
      );
  });

  test.each([
    'rate_limit_exceeded',
    'tokens_exceeded',
    'string_above_max_length',
    'request_too_large',
    'invalid_request_error',
    'insufficient_quota',
    'max_tokens_invalid',
  ])('is not meant by the code %s', (code) => {
    expect(namesOverflow(code)).toBe(false);
  });

  test.each<[string, unknown]>([
    ['vLLM and SGLang', { object: 'error', message: sglang, code: 400 }],
    ['Ollama', { error: 'prompt too long; exceeded max context length by 2031 tokens' }],
    ['xAI', { code: 'Client specified an invalid argument', error: xai }],
    ['z.ai', { code: '1261', message: 'Prompt too long' }],
    ['FastAPI', { detail: sglang }],
    ['a text', 'Prompt too long'],
  ])('is found in the body of %s', (_, body) => {
    expect(translators['openai-chat'].error(400, body).code).toBe('context_length_exceeded');
  });

  test('has the numbers of llama.cpp, which stand beside its message', () => {
    const error = {
      code: 400,
      message: 'the request exceeds the available context size',
      type: 'exceed_context_size_error',
      n_prompt_tokens: 1407,
      n_ctx: 256,
    };
    expect(translators['openai-chat'].error(400, { error }).message).toBe(
      'the request exceeds the available context size: 1407 tokens > 256 maximum',
    );
  });

  test('does not turn another failure into a refusal', () => {
    const error = { message: 'prompt is too long: 5 tokens > 4 maximum' };
    for (const status of [401, 403, 429, 502, 503, 529])
      expect(translators['openai-chat'].error(status, { error }).code).not.toBe(
        'context_length_exceeded',
      );
  });
});
