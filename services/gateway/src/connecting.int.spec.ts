import { deepEqual } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { test } from 'vitest';
import { listeningGateway } from './testing/listening-gateway.ts';

const clientsCount = 1_000;

/** Counts the sockets of a port here that are in a state of the kernel's list. */
function countOf(port: number, state: string): number {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n');
  return lines.filter((line) => {
    const [, , remote = '', status] = line.trim().split(/\s+/);
    return remote.endsWith(`:${hex}`) && status === state;
  }).length;
}

test('clients who all come at once are connected at once: none has to try again after a second', async (context) => {
  const placesMax = Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'));
  if (placesMax < clientsCount) context.skip(`the kernel here allows ${placesMax}`);
  const { service, port } = await listeningGateway({
    createResponse: () => Promise.reject(new Error('nobody asks')),
  });
  const clients = Array.from({ length: clientsCount }, () => connect(port, '127.0.0.1'));
  for (const client of clients) client.on('error', () => {});
  // Each has called the kernel by then, and the gateway, in the same turn of the same loop, has taken none.
  await new Promise<void>((resolve) => process.nextTick(resolve));
  const [connected, trying] = [countOf(port, '01'), countOf(port, '02')];
  for (const client of clients) client.destroy();
  await service.stop();
  deepEqual({ connected, trying }, { connected: clientsCount, trying: 0 });
});
