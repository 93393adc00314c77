import { deepEqual, equal } from 'node:assert/strict';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as tick } from 'node:timers/promises';
import { systemIds } from '@sluice/clock-and-ids';
import { createTelemetry } from '@sluice/telemetry';
import { describe, test } from 'vitest';
import { recordingLogger } from '../../testing/gateway-world.ts';
import { createLoadShedding } from './load-shedding.ts';

/** Longer than the process may be at it before it lets others wait. */
const longMs = 15;
const inferencePaths = new Set(['/v1/responses']);

function aServer(inferenceWaitingMax = 10, startsPerMsMax?: number) {
  let nowMs = 0;
  const telemetry = createTelemetry({ serviceName: 'gateway', otlpEndpoint: undefined });
  const shedding = createLoadShedding({
    inferencePaths,
    settings: { inferenceWaitingMax },
    inference: { startsPerMsMax: () => startsPerMsMax },
    ids: systemIds,
    logger: recordingLogger(),
    telemetry,
    eventLoop: {
      nowMs: () => nowMs,
      atEndOfTick: (callback) => void setImmediate(callback),
      after: (_ms, callback) => void setImmediate(callback),
    },
  });
  const served: string[] = [];
  const guarded = shedding.guard(({ headers }) => {
    served.push(headers['x-name'] as string);
    nowMs += longMs;
  });
  const send = (name: string, { method = 'POST', url = '/v1/responses', key = 'a' } = {}) => {
    const request = Object.assign(new IncomingMessage(new Socket()), { method, url });
    request.headers = { authorization: `Bearer ${key}`, 'x-name': name };
    const response = new ServerResponse(request);
    guarded(request, response);
    return response;
  };
  const metrics = async () => await telemetry.prometheus();
  const pass = (ms: number) => void (nowMs += ms);
  return { shedding, served, send, metrics, pass };
}

describe('load shedding', () => {
  test('serves what has waited in the order of arrival, and counts how long it waited', async () => {
    const { shedding, served, send, metrics } = aServer();
    for (const name of ['1', '2', '3']) send(name);
    deepEqual([served, shedding.waiting], [['1'], 2]);
    while (shedding.waiting > 0) await tick();
    deepEqual(served, ['1', '2', '3']);
    equal(/gateway_overload_wait_seconds_count(?:{[^}]*})? (\d+)/.exec(await metrics())?.[1], '2');
  });

  test('starts no more requests than routing lets start', async () => {
    const { shedding, served, send, pass } = aServer(10, 0.01);
    send('1');
    send('2');
    for (let ticks = 0; ticks < 5; ticks += 1) await tick();
    deepEqual([served, shedding.waiting], [['1'], 1]);
    pass(100);
    while (shedding.waiting > 0) await tick();
    deepEqual(served, ['1', '2']);
  });

  test('does not serve whose client has left meanwhile', async () => {
    const { shedding, served, send } = aServer();
    send('1');
    send('2').destroy();
    send('3');
    while (shedding.waiting > 0) await tick();
    deepEqual(served, ['1', '3']);
  });

  test.each([
    ['a method that is no inference', { method: 'GET' }],
    ['a path that is no inference', { url: '/v1/keys' }],
  ])('lets in at once %s', async (_what, line) => {
    const { served, send } = aServer();
    send('1');
    send('2', line);
    deepEqual(served, ['1', '2']);
  });

  test.each(['/v1/responses', '/v1/responses?x=1'])('lets %s wait', (url) => {
    const { served, send } = aServer();
    send('1');
    send('2', { url });
    deepEqual(served, ['1']);
  });

  test('gives one key half of the places, and counts why it refuses', async () => {
    const { send, metrics } = aServer(4);
    send('1');
    const answers = ['a', 'a', 'a', 'b', 'c', 'd'].map((key) => send('x', { key }));
    await tick();
    const statuses = answers.map(({ statusCode }) => statusCode);
    deepEqual(statuses, [200, 200, 503, 200, 200, 503]);
    const counted = [
      ...(await metrics()).matchAll(/gateway_overload_refusals_total{([^}]*)} (\d+)/g),
    ];
    const byReason = counted.map(([, labels = '', count]) => [
      /reason="(\w+)"/.exec(labels)?.[1],
      count,
    ]);
    deepEqual(Object.fromEntries(byReason), { share: '1', full: '1', slow: '0', bodies: '0' });
  });
});
