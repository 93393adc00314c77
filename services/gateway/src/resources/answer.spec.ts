import { deepEqual, equal } from 'node:assert/strict';
import { catalog, Fault } from '@sluice/errors';
import { errorReply } from '@sluice/client-errors';
import { describe, test } from 'vitest';
import { gatewayWorld, jsonReply, type TestReply } from '../testing/gateway-world.ts';

// The limits of the gateway are the same at each route of inference.

const routes = [
  'POST /v1/responses',
  'POST /v1/chat/completions',
  'POST /v1/messages',
  'POST /v1/messages/count_tokens',
  'POST /v1/embeddings',
  'POST /v1/rerank',
] as const;

interface ErrorBody {
  readonly error: {
    readonly message: string;
    readonly error_type?: string;
    readonly metadata?: { readonly error_type: string };
  };
}

/** Returns the status, the message and the type of an error, in either envelope. */
function refusalOf({ status, json }: TestReply): readonly [number, string, string | undefined] {
  const { error } = json as unknown as ErrorBody;
  return [status, error.message, error.metadata?.error_type ?? error.error_type];
}

const rateLimited = [429, 'Rate limit exceeded', 'rate_limit_exceeded'] as const;

describe.each(routes)('%s', (route) => {
  test('refuses a body that is too large, and routing gets no part of it', async () => {
    const { request, regular, calls } = await gatewayWorld({
      settings: { inferenceBodyBytesMax: 1_000 },
    });
    const key = regular().secret;
    const send = (bytes: number) => request(route, { key, body: `"${'x'.repeat(bytes - 2)}"` });
    deepEqual(refusalOf(await send(1_001)), [
      413,
      'Request payload is too large',
      'payload_too_large',
    ]);
    equal(calls.length, 0);
    equal((await send(1_000)).status, 200);
  });

  test('refuses a key that asks too often, and says when to ask again', async () => {
    const { request, regular, clock, calls } = await gatewayWorld({
      settings: { inferenceRequestsPerMinute: 2 },
    });
    const key = regular().secret;
    const send = () => request(route, { key, body: {} });
    for (const reply of [await send(), await send()]) equal(reply.status, 200);
    const refused = await send();
    deepEqual(refusalOf(refused), rateLimited);
    deepEqual(
      ['x-ratelimit-limit', 'x-ratelimit-remaining', 'retry-after'].map(
        (name) => refused.headers[name],
      ),
      ['2', '0', '30'],
    );
    equal(calls.length, 2);
    clock.advance(30_000);
    equal((await send()).status, 200);
  });

  test('refuses an account with too many open requests, until one of them ends', async () => {
    const asked = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    const { request, regular } = await gatewayWorld({
      settings: { inferenceOpenMax: 1 },
      async createResponse() {
        asked.resolve();
        await answered.promise;
        return jsonReply(200, {});
      },
    });
    const send = () => request(route, { key: regular().secret, body: {} });
    const open = send();
    await asked.promise;
    const refused = await send();
    deepEqual(refusalOf(refused), rateLimited);
    equal(refused.headers['retry-after'], '1');
    answered.resolve();
    equal((await open).status, 200);
    equal((await send()).status, 200);
  });

  test('hands the time-out of routing on', async () => {
    const { request, regular } = await gatewayWorld({
      createResponse: async () => errorReply(new Fault('timeout')),
    });
    const refused = await request(route, { key: regular().secret, body: {} });
    deepEqual(refusalOf(refused), [408, catalog.timeout.message, 'timeout']);
    equal(refused.headers['retry-after'], '1');
  });
});
