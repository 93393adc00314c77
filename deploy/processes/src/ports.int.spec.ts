import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, SetupProblem } from '@sluice/embedded';
import { afterEach, beforeEach, describe, test } from 'vitest';
import { keptPorts, portNames } from './ports.ts';

let folder: string;
const listening: Server[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-ports-'));
});

afterEach(async () => {
  for (const server of listening.splice(0))
    await new Promise<void>((closed) => void server.close(() => closed()));
  await rm(folder, { recursive: true, force: true });
});

/** Takes ports of the block from which this process chooses, as another installation would. */
async function takePorts(count: number): Promise<ReadonlySet<number>> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = await freePort(ports);
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, '127.0.0.1', resolve);
    });
    listening.push(server);
    ports.add(port);
  }
  return ports;
}

describe('the ports of an installation', () => {
  for (const count of [0, 3, 4, 5, 19, 20, 45])
    test(`are all different when others have ${count} of those that would be chosen`, async () => {
      const taken = await takePorts(count);
      const ports = Object.values(await keptPorts(folder));
      equal(ports.length, portNames.length);
      equal(new Set(ports).size, portNames.length);
      deepEqual(
        ports.filter((port) => taken.has(port)),
        [],
      );
    });

  test('are none of those of the gateway, at the first start and at later ones', async () => {
    const next = [await freePort(), await freePort(), await freePort()];
    const first = await keptPorts(folder, next);
    ok(Object.values(first).every((port) => !next.includes(port)));
    const later = await keptPorts(folder, [first.key, first.routing]);
    ok(Object.values(later).every((port) => port !== first.key && port !== first.routing));
  });

  test('stay the same, except those that were taken meanwhile', async () => {
    const before = await keptPorts(folder);
    const server = createServer();
    await new Promise<void>((resolve) => void server.listen(before.key, '127.0.0.1', resolve));
    listening.push(server);
    const after = await keptPorts(folder);
    const others = portNames.filter((name) => name !== 'key');
    deepEqual(
      others.map((name) => after[name]),
      others.map((name) => before[name]),
    );
    ok(!Object.values(before).includes(after.key));
  });
});

test('a search for a port that finds none comes to an end and says so', async () => {
  const all = new Set(Array.from({ length: 65_536 }, (_none, port) => port));
  await rejects(freePort(all), SetupProblem);
});
