import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'vitest';
import { toldBody } from './told-body.ts';

const key = 'sk-"own"-key';
const endpoint = {
  provider: 'openai',
  dialect: 'openai-chat' as const,
  baseUrl: 'https://api.example.com/v1',
  apiKey: { reveal: () => key },
  upstreamModel: 'm',
};
const keyless = { ...endpoint, apiKey: undefined };

test('a body is told as it is sent: what is undefined is not', () => {
  const body = { model: 'm', stream: true, top_p: undefined, messages: [{ n: null, a: 1.5 }] };
  deepEqual(toldBody(endpoint, body), {
    model: 'm',
    stream: true,
    messages: [{ n: null, a: 1.5 }],
  });
});

test('the key of the endpoint is left out, in texts and in names, however deep', () => {
  const body = { [`a ${key}`]: key, list: [{ text: `Bearer ${key}!` }] };
  deepEqual(toldBody(endpoint, body), {
    'a [left out]': '[left out]',
    list: [{ text: 'Bearer [left out]!' }],
  });
  deepEqual(toldBody(keyless, body), body);
  deepEqual(toldBody({ ...endpoint, apiKey: { reveal: () => '' } }, body), body);
});

test('a long text is cut, and the rest of the body is not', () => {
  const told = toldBody(endpoint, { image: 'x'.repeat(100_000), model: 'm' });
  equal(told['model'], 'm');
  equal(told['image'], `${'x'.repeat(16_384)}[83616 characters left out]`);
});

test('of a body that is too long all the same only its size is told', () => {
  const messages = Array.from({ length: 200 }, () => 'y'.repeat(10_000));
  const told = toldBody(endpoint, { messages });
  deepEqual(Object.keys(told), ['left_out_characters']);
  ok(Number(told['left_out_characters']) > 2_000_000);
});
