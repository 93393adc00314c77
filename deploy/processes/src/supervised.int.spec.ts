import { deepEqual, equal, notEqual, ok } from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWatchedProcess } from '@sluice/embedded';
import { until } from '@sluice/patience';
import { createLogger } from '@sluice/logging';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { keptPorts, portNames } from './ports.ts';
import { supervise } from '@sluice/local';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-supervised-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const logger = createLogger({ service: 'test', level: 'silent' });
const start = () =>
  startWatchedProcess({
    name: 'sleeper',
    command: '/bin/sleep',
    args: ['600'],
    stdio: 'ignore',
    stopSignal: 'SIGTERM',
  });

describe('a supervised process', () => {
  test('that is killed comes back with another id in its pid file, until it is stopped', async () => {
    const pidFile = join(folder, 'sleeper.pid');
    const supervised = await supervise({ name: 'sleeper', pidFile, start, logger });
    const readPid = async () => Number(await readFile(pidFile, 'utf8'));
    const first = await readPid();
    process.kill(first, 'SIGKILL');
    await until(async () => (await readPid()) !== first);
    const second = await readPid();
    notEqual(second, first);
    ok(isAlive(second));
    await supervised.stop();
    equal(isAlive(second), false);
    equal(existsSync(pidFile), false);
  });

  test('that does not start at all says so', async () => {
    const pidFile = join(folder, 'nothing.pid');
    let refused: unknown;
    const never = () => Promise.reject(new Error('no such thing'));
    await supervise({ name: 'nothing', pidFile, start: never, logger }).catch((error: unknown) => {
      refused = error;
    });
    ok(refused instanceof Error);
    equal(existsSync(pidFile), false);
  });
});

describe('the ports', () => {
  test('are all different, and the same on the next start', async () => {
    const ports = await keptPorts(folder);
    equal(new Set(Object.values(ports)).size, portNames.length);
    deepEqual(await keptPorts(folder), ports);
  });

  test('are chosen anew where somebody else listens meanwhile', async () => {
    const ports = await keptPorts(folder);
    const other = createServer();
    await new Promise<void>((resolve) => {
      other.listen(ports.key, '127.0.0.1', resolve);
    });
    const next = await keptPorts(folder);
    other.close();
    notEqual(next.key, ports.key);
    deepEqual({ ...next, key: 0 }, { ...ports, key: 0 });
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
