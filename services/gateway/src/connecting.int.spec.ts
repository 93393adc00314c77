import { deepEqual } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { test } from 'vitest';
import { listeningGateway } from './testing/listening-gateway.ts';

const clientsCount = 1_000;
const looksMax = 2_000;
const everyMs = 5;

/** Counts the clients of a port here, each once, by their state in the kernel's list. */
function clientsOf(port: number) {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  const [connected, trying] = [new Set<string>(), new Set<string>()];
  for (const line of readFileSync('/proc/net/tcp', 'utf8').split('\n')) {
    const [, local = '', remote = '', state] = line.trim().split(/\s+/);
    if (!remote.endsWith(`:${hex}`)) continue;
    if (state === '01') connected.add(local);
    if (state === '02') trying.add(local);
  }
  return { connected: connected.size, trying: trying.size };
}

/** The kernel shakes hands when it gets to it. This process, and the gateway in it, does nothing meanwhile. */
function afterHandshakes(port: number) {
  const sleeping = new Int32Array(new SharedArrayBuffer(4));
  for (let looks = 1; ; looks++) {
    const seen = clientsOf(port);
    if (seen.connected === clientsCount || looks === looksMax) return seen;
    Atomics.wait(sleeping, 0, 0, everyMs);
  }
}

test('clients who all come at once are connected at once: none has to try again after a second', async (context) => {
  const placesMax = Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'));
  if (placesMax < clientsCount) context.skip(`the kernel here allows ${placesMax}`);
  const { service, port } = await listeningGateway({
    createResponse: () => Promise.reject(new Error('nobody asks')),
  });
  const errors: unknown[] = [];
  const clients = Array.from({ length: clientsCount }, () => connect(port, '127.0.0.1'));
  for (const client of clients) client.on('error', (error) => errors.push(error));
  // Each has called the kernel by then, and the gateway, in the same turn of the same loop, has taken none.
  await new Promise<void>((resolve) => process.nextTick(resolve));
  const seen = afterHandshakes(port);
  for (const client of clients) client.destroy();
  await service.stop();
  deepEqual({ ...seen, errors }, { connected: clientsCount, trying: 0, errors: [] });
});
