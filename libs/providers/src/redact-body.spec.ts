import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'vitest';
import { redactBody } from './redact-body.ts';

const key = 'sk-"own"-key';
const endpoint = {
  provider: 'openai',
  dialect: 'openai-chat' as const,
  baseUrl: 'https://api.example.com/v1',
  apiKey: { reveal: () => key },
  upstreamModel: 'm',
};
const keyless = { ...endpoint, apiKey: undefined };

test('a body is returned as it is sent, without undefined fields', () => {
  const body = { model: 'm', stream: true, top_p: undefined, messages: [{ n: null, a: 1.5 }] };
  deepEqual(redactBody(endpoint, body), {
    model: 'm',
    stream: true,
    messages: [{ n: null, a: 1.5 }],
  });
});

test('the key of the endpoint is removed from texts and names at any depth', () => {
  const body = { [`a ${key}`]: key, list: [{ text: `Bearer ${key}!` }] };
  deepEqual(redactBody(endpoint, body), {
    'a [left out]': '[left out]',
    list: [{ text: 'Bearer [left out]!' }],
  });
  deepEqual(redactBody(keyless, body), body);
  deepEqual(redactBody({ ...endpoint, apiKey: { reveal: () => '' } }, body), body);
});

test('a long text is cut, and the rest of the body is complete', () => {
  const redacted = redactBody(endpoint, { image: 'x'.repeat(100_000), model: 'm' });
  equal(redacted['model'], 'm');
  equal(redacted['image'], `${'x'.repeat(16_384)}[83616 characters left out]`);
});

test('a body that is still too long is replaced by its size', () => {
  const messages = Array.from({ length: 200 }, () => 'y'.repeat(10_000));
  const redacted = redactBody(endpoint, { messages });
  deepEqual(Object.keys(redacted), ['left_out_characters']);
  ok(Number(redacted['left_out_characters']) > 2_000_000);
});
