import { deepEqual, equal, match } from 'node:assert/strict';
import { eventually } from '@sluice/patience';
import { describe, test } from 'vitest';
import { gatewayWorld, jsonReply } from '../../testing/gateway-world.ts';

const traceparent = `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`;

describe('a request', () => {
  test('leaves one log line with what it was, and nothing of what it said', async () => {
    const { request, regular, logger } = await gatewayWorld();
    const { secret } = regular();
    const reply = await request('POST /v1/responses?token=marked-query', {
      key: secret,
      headers: { 'x-marked': 'marked-header' },
      body: { input: 'marked-body' },
    });
    await eventually(() => equal(logger.lines.length, 1));
    const { message, fields } = logger.lines[0] ?? { message: '', fields: {} };
    const { durationMs, ...rest } = fields;
    equal(message, 'request');
    equal(typeof durationMs, 'number');
    deepEqual(rest, {
      requestId: reply.headers['x-request-id'],
      route: '/v1/responses',
      method: 'POST',
      status: 200,
      outcome: 'finished',
    });
    const logged = JSON.stringify(logger.lines);
    for (const secretText of ['marked', secret]) equal(logged.includes(secretText), false);
  });

  test('is measured by method, route and status, not by its path', async () => {
    const { request, management, telemetry } = await gatewayWorld();
    await request(`GET /v1/keys/${'a'.repeat(64)}`, { key: management().secret });
    await request('GET /v1/nowhere/at/all');
    await eventually(async () => {
      const text = await telemetry.prometheus();
      match(
        text,
        /http_server_request_duration_seconds_count\{[^}]*http_route="\/v1\/keys\/:hash"[^}]*\} 1/,
      );
      match(text, /http_server_request_duration_seconds_count\{[^}]*http_route="none"[^}]*\} 1/);
      equal(text.includes('aaaa'), false);
      equal(text.includes('nowhere'), false);
    });
  });

  test('with a method that nobody knows is measured as _OTHER', async () => {
    const { request, telemetry } = await gatewayWorld();
    await request('PROPFIND /v1/keys');
    await eventually(async () => {
      const text = await telemetry.prometheus();
      match(text, /http_server_request_duration_seconds_count\{[^}]*http_request_method="_OTHER"/);
      equal(text.includes('PROPFIND'), false);
    });
  });

  test('hands the trace of its client on', async () => {
    const { request, regular, calls, logger } = await gatewayWorld();
    const headers = { traceparent };
    await request('POST /v1/responses', { key: regular().secret, headers, body: {} });
    equal(calls[0]?.traceparent, traceparent);
    await eventually(() => equal(logger.lines[0]?.fields.traceId, 'ab'.repeat(16)));
  });

  test.each(['nonsense', `${traceparent}\u0001`, traceparent.toUpperCase(), 'x'.repeat(5_000)])(
    'does not hand on what is no trace',
    async (header) => {
      const { request, regular, calls } = await gatewayWorld();
      const headers = { traceparent: header };
      await request('POST /v1/responses', { key: regular().secret, headers, body: {} });
      equal(calls.length, 1);
      equal(calls[0]?.traceparent, undefined);
    },
  );

  test('that was refused is logged as well', async () => {
    const { request, logger } = await gatewayWorld({
      createResponse: async () => jsonReply(200, {}),
    });
    await request('POST /v1/responses', { body: {} });
    await eventually(() => equal(logger.lines[0]?.fields.status, 401));
  });
});
