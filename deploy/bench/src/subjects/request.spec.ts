import { deepEqual, equal, match, ok, throws } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { chatDoor, embeddingsDoor, responsesDoor } from './door.ts';
import { bodyOf, requestOf } from './request.ts';

interface Body {
  readonly model: string;
  readonly stream: boolean;
  readonly input: readonly { readonly role: string; readonly content: string }[];
}

describe('the body of a request', () => {
  test('has exactly the wished bytes, is JSON and ends with a turn of the user', () => {
    for (const bodyBytes of [200, 201, 2_345, 10_240, 204_800]) {
      const text = bodyOf('bench/echo', { bodyBytes, isStreaming: true }, responsesDoor);
      equal(Buffer.byteLength(text), bodyBytes);
      const { model, stream, input } = JSON.parse(text) as Body;
      deepEqual([model, stream, input.at(-1)?.role], ['bench/echo', true, 'user']);
      ok(input.every(({ content }) => content !== ''));
    }
  });

  test('of a long one is a conversation, with what has to be escaped', () => {
    const text = bodyOf('echo', { bodyBytes: 204_800, isStreaming: false }, responsesDoor);
    const { input } = JSON.parse(text) as Body;
    ok(input.length > 90);
    match(input[0]?.content ?? '', /said "no", and then:\n\n- nothing/);
  });

  test('of another door has its turns where that door has them', () => {
    const text = bodyOf('echo', { bodyBytes: 200, isStreaming: false }, chatDoor);
    const { messages } = JSON.parse(text) as { messages: readonly { role: string }[] };
    deepEqual([text.length, messages.at(-1)?.role], [200, 'user']);
  });

  test('for a vector is one text, and asks for base64', () => {
    const text = bodyOf('vectors', { bodyBytes: 200, isStreaming: false }, embeddingsDoor);
    equal(Buffer.byteLength(text), 200);
    const body = JSON.parse(text) as Record<string, unknown>;
    deepEqual(
      [body['encoding_format'], typeof body['input'], 'stream' in body],
      ['base64', 'string', false],
    );
  });

  test('needs some room', () => {
    throws(() => bodyOf('echo', { bodyBytes: 60, isStreaming: false }, responsesDoor), /too few/);
  });
});

test('a request says how long its body is and carries the headers of its subject', () => {
  const subject = {
    path: '/v1/responses',
    port: 1234,
    model: 'echo',
    headers: { 'x-one': 'two' },
    door: responsesDoor,
  };
  const text = requestOf(subject, { bodyBytes: 200, isStreaming: false }).toString();
  match(text, /^POST \/v1\/responses HTTP\/1\.1\r\nhost: 127\.0\.0\.1:1234\r\n/);
  match(text, /\r\ncontent-length: 200\r\nx-one: two\r\n\r\n\{"model"/);
  equal(text.length - text.indexOf('\r\n\r\n') - 4, 200);
});
