import { equal, rejects } from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, test } from 'vitest';
import { assertSynced } from './durability.ts';

const said: string[] = [];
const ask = (address: string | undefined) =>
  assertSynced(address, { info: (message) => said.push(message) });
const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

describe('a broker that acknowledges', () => {
  test('after its data is on disk is taken', async () => {
    equal(await ask(await monitor({ config: { sync_always: true } })), 'durable');
  });

  test('before its data is on disk is refused, with the setting to change', async () => {
    const address = await monitor({ config: { sync_interval: 120_000_000_000 } });
    await rejects(ask(address), { message: /sync_interval: always/ });
  });

  test('is unknown without a monitoring address, and refused when that does not answer', async () => {
    equal(await ask(undefined), 'unknown');
    equal(said.length, 1);
    await rejects(ask(await monitor({})), { code: 'bus_unavailable' });
    await rejects(
      ask('http://127.0.0.1:1/secret-path'),
      (error: Error & { code?: string }) =>
        error.code === 'bus_unavailable' && !error.message.includes('secret-path'),
    );
  });
});

async function monitor(answer: object): Promise<string> {
  const server = createServer((_request, response) => response.end(JSON.stringify(answer)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
