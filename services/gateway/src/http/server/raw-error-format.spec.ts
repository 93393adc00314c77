import { equal } from 'node:assert/strict';
import { test } from 'vitest';
import { rawErrorFormat } from './raw-error-format.ts';

test.each([
  ['/v1/messages', 'anthropic'],
  ['/v1/messages?beta=true', 'anthropic'],
  ['/v1/messages/count_tokens', 'anthropic'],
  ['/v1/v1/messages', 'anthropic'],
  ['/v1/messages-of-mine', 'service'],
  ['/v1/responses?path=/v1/messages', 'service'],
  ['/v1/chat/completions', 'service'],
  [undefined, 'service'],
])('an error before any route has the form of its door: %s, %s', (url, format) => {
  equal(rawErrorFormat({ ...(url !== undefined && { url }) }), format);
});
