import { deepEqual, equal, match, rejects } from 'node:assert/strict';
import { createTelemetry } from '@sluice/telemetry';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { startAdmin, type AdminServer } from './index.ts';

const reasons: string[] = [];
const degraded: string[] = [];
const telemetry = createTelemetry({ serviceName: 'spec', otlpEndpoint: undefined });
let admin: AdminServer;
const get = (path: string) => fetch(`http://127.0.0.1:${admin.port}${path}`);

beforeAll(async () => {
  admin = await startAdmin({
    host: '127.0.0.1',
    port: 0,
    unreadiness: () => reasons,
    degradation: () => degraded,
    metrics: () => telemetry.prometheus(),
    commit: Promise.resolve('abc'),
  });
});
afterAll(async () => {
  await admin.stop();
  await telemetry.stop();
});

describe('the admin port', () => {
  test('is live whenever it answers', async () => {
    equal((await get('/livez')).status, 200);
  });

  test('answers HEAD and a query as load balancers send them, and keeps their connections', async () => {
    for (const path of ['/readyz?check=1', '/livez?', '/metrics?a=b'])
      equal((await get(path)).status, 200, path);
    const head = await fetch(`http://127.0.0.1:${admin.port}/readyz`, { method: 'HEAD' });
    deepEqual([head.status, await head.text()], [200, '']);
    match((await get('/livez')).headers.get('keep-alive') ?? '', /timeout=72/);
    const posted = await fetch(`http://127.0.0.1:${admin.port}/readyz`, { method: 'POST' });
    deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET, HEAD']);
  });

  test('names the commit that runs', async () => {
    deepEqual(await (await get('/version')).json(), { commit: 'abc' });
  });

  test('is ready only while nothing speaks against it', async () => {
    equal((await get('/readyz')).status, 200);
    reasons.push('the bus is not connected');
    const answer = await get('/readyz');
    deepEqual(
      [answer.status, await answer.json()],
      [503, { status: 'not ready', reasons: ['the bus is not connected'] }],
    );
  });

  test('stays ready while a part is missing, and names it once', async () => {
    reasons.length = 0;
    degraded.push('the event store is away', 'the event store is away');
    const answer = await get('/readyz');
    const body = { status: 'degraded', reasons: ['the event store is away'] };
    deepEqual([answer.status, await answer.json()], [200, body]);
    reasons.push('it has not started');
    const unready = await get('/readyz');
    const both = ['it has not started', 'the event store is away'];
    deepEqual(
      [unready.status, await unready.json()],
      [503, { status: 'not ready', reasons: both }],
    );
  });

  test('shows metrics in the Prometheus format', async () => {
    telemetry.metrics.gatewayAttempts.add(2, { outcome: 'served' });
    telemetry.observe('usage.uncounted', () => 7);
    const text = await (await get('/metrics')).text();
    match(text, /gateway_attempts_total\{[^}]*outcome="served"[^}]*\} 2/);
    match(text, /usage_uncounted(?:\{[^}]*\})? 7/);
  });

  test('knows no other path', async () => {
    equal((await get('/')).status, 404);
  });

  test('says when its port is taken', async () => {
    const options = { unreadiness: () => [], metrics: async () => '' };
    await rejects(startAdmin({ host: '127.0.0.1', port: admin.port, ...options }), {
      code: 'EADDRINUSE',
    });
  });
});
