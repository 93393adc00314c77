import { deepEqual, equal } from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { test } from 'vitest';
import { startOutside } from './outside.ts';

test('the world refuses each call and says who was called, once', async () => {
  const outside = await startOutside();
  try {
    const { HTTPS_PROXY: proxy = '' } = outside.environment;
    const { hostname: host, port } = new URL(proxy);
    const tunnel = request({ host, port, method: 'CONNECT', path: 'telemetry.test:443' });
    tunnel.end();
    const [refused] = (await once(tunnel, 'connect')) as [{ statusCode: number }];
    equal(refused.statusCode, 403);
    const plain = request({ host, port, path: 'http://updates.test/latest' });
    plain.end();
    const [answer] = (await once(plain, 'response')) as [{ statusCode: number; resume(): void }];
    answer.resume();
    equal(answer.statusCode, 403);
    deepEqual(outside.look(), ['telemetry.test:443', 'updates.test']);
    deepEqual(outside.look(), []);
  } finally {
    await outside.stop();
  }
});
