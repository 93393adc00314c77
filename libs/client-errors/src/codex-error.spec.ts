import { Fault } from '@sluice/errors';
import { describe, expect, test } from 'vitest';
import { codexErrorEnvelope, isCodex } from './codex-error.ts';
import { errorEnvelope } from './envelope.ts';

describe('an error for Codex', () => {
  test('says by a word that the context is too long: it compacts for that alone', () => {
    const message = 'prompt is too long: 2 tokens > 1 maximum';
    expect(codexErrorEnvelope(new Fault('context_length_exceeded', { message }))).toEqual({
      error: {
        code: 'context_length_exceeded',
        type: 'invalid_request_error',
        message,
        metadata: { error_type: 'context_length_exceeded' },
      },
    });
  });

  test('is the usual one otherwise', () => {
    const limited = new Fault('rate_limited');
    expect(codexErrorEnvelope(limited)).toEqual(errorEnvelope(limited));
  });

  test.each([
    ['codex_exec/0.169.0 (Debian 12.0.0; x86_64)', true],
    ['codex_cli_rs/0.50.0', true],
    ['codex_vscode/1', true],
    ['Codex Desktop/2.0', true],
    ['OpenAI/JS 7.55.0 codex_exec/1', false],
    ['codexible', false],
  ])('is for those who name themselves so: %s', (userAgent, expected) => {
    expect(isCodex({ userAgent })).toBe(expected);
    expect(isCodex(undefined)).toBe(false);
  });
});
