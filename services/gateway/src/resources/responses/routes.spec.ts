import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import {
  gatewayWorld,
  organizationId,
  ownerUserId,
  workspaceId,
} from '../../testing/gateway-world.ts';

describe('POST /v1/responses', () => {
  test('hands the bytes on as they came, with whose they are', async () => {
    const { request, regular, calls } = await gatewayWorld();
    const { key, secret } = regular({ limitNanoUsd: 5n, limitReset: 'weekly' });
    const body = '{"model" :"sim/echo",  "input":"\\u00e4 ä", "n": 1.0000}';
    const reply = await request('POST /v1/responses', { key: secret, body });
    equal(reply.status, 200);
    const call = calls[0];
    equal(Buffer.from(call?.body ?? []).toString(), body);
    equal(call?.requestId, reply.headers['x-request-id']);
    deepEqual(call?.principal, {
      accountId: organizationId,
      workspaceId,
      keyHash: key.hash,
      limitNanoUsd: 5n,
      limitReset: 'weekly',
      includeByokInLimit: false,
    });
  });

  test('hands on whose application it is, and who made the key', async () => {
    const { request, regular, calls } = await gatewayWorld();
    const { secret } = regular({ creatorUserId: ownerUserId });
    const headers = { referer: 'https://app.example.com/', 'user-agent': 'app/1' };
    await request('POST /v1/responses', { key: secret, body: '{}', headers });
    deepEqual(calls[0]?.client, { referer: 'https://app.example.com/', userAgent: 'app/1' });
    const named = {
      ...headers,
      'http-referer': 'https://named.example.com/',
      'x-title': 'Old name',
      'x-service-categories': 'cli-agent',
      'x-anthropic-beta': 'interleaved-thinking-2025-05-14',
    };
    for (const [more, title] of [
      [{}, 'Old name'],
      [{ 'x-service-title': 'Name' }, 'Name'],
    ] as const) {
      await request('POST /v1/responses', {
        key: secret,
        body: '{}',
        headers: { ...named, ...more },
      });
      deepEqual(calls.at(-1)?.client, {
        referer: 'https://named.example.com/',
        title,
        categories: ['cli-agent'],
        userAgent: 'app/1',
        anthropicBetas: ['interleaved-thinking-2025-05-14'],
      });
    }
    equal(calls[0]?.principal.creatorUserId, ownerUserId);
  });

  test.each(['not json', ''])('leaves it to routing to refuse the body "%s"', async (body) => {
    const { request, regular, calls } = await gatewayWorld();
    await request('POST /v1/responses', { key: regular().secret, body });
    equal(Buffer.from(calls[0]?.body ?? [1]).toString(), body);
  });

  test('gives the length of a text in bytes', async () => {
    const text = '{"output_text":"é 漢 😀"}';
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    const { request, regular } = await gatewayWorld({
      createResponse: () => Promise.resolve({ status: 200, headers, body: text }),
    });
    const reply = await request('POST /v1/responses', { key: regular().secret, body: '{}' });
    equal(reply.headers['content-length'], String(Buffer.byteLength(text)));
    deepEqual(reply.json, JSON.parse(text));
  });

  test('passes on what a client asks of the cache', async () => {
    const { request, regular, calls } = await gatewayWorld();
    const headers = {
      'x-service-cache': 'true',
      'x-service-cache-ttl': '60abc',
      'x-service-cache-clear': 'true',
    };
    await request('POST /v1/responses', { key: regular().secret, body: {}, headers });
    deepEqual(calls.at(-1)?.client?.cache, { isOn: true, ttlSeconds: 60, clears: true });
  });

  test('hands status, headers and bytes of the answer back', async () => {
    const { request, regular } = await gatewayWorld({
      createResponse: async () => ({
        status: 402,
        headers: {
          'content-type': 'application/json',
          'X-Generation-Id': 'gen-1',
          'retry-after': '3',
          'transfer-encoding': 'chunked',
          connection: 'close',
          'x-request-id': 'req-other',
        },
        body: Buffer.from('{"error":{"code":402}}'),
      }),
    });
    const reply = await request('POST /v1/responses', { key: regular().secret, body: {} });
    equal(reply.status, 402);
    equal(reply.text, '{"error":{"code":402}}');
    equal(reply.headers['x-generation-id'], 'gen-1');
    equal(reply.headers['retry-after'], '3');
    equal(reply.headers['transfer-encoding'], undefined);
    equal(reply.headers['connection'] === 'close', false);
    equal(reply.headers['x-request-id'] === 'req-other', false);
  });

  test('is refused to a management key', async () => {
    const { request, management, calls } = await gatewayWorld();
    const { status } = await request('POST /v1/responses', { key: management().secret, body: {} });
    equal(status, 403);
    equal(calls.length, 0);
  });
});
