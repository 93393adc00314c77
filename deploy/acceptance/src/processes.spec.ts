import { deepEqual, equal, notEqual } from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { eventually, json, manage } from './http.ts';
import { type Instance, startInstance } from './instance.ts';

const names = [
  'account',
  'eventstore',
  'gateway',
  'key',
  'ledger',
  'nats',
  'postgres',
  'routing',
  'workspace',
] as const;
type Name = (typeof names)[number];

let sluice: Instance;
beforeAll(async () => {
  sluice = await startInstance({}, 'processes');
});
afterAll(() => sluice?.dispose());

const runFolder = () => join(sluice.dataDirectory, 'run');
const pidOf = async (name: Name) =>
  Number(await readFile(join(runFolder(), `${name}.pid`), 'utf8').catch(() => 'none'));
const ask = () =>
  json(sluice, '/responses', { body: { model: 'sim/echo', input: 'x' } }).then(
    ({ status }) => status,
    () => 0,
  );
const listKeys = () =>
  manage(sluice, '/keys').then(
    ({ status }) => status,
    () => 0,
  );
const comebackTimeoutMs = 15_000;

describe('services as processes of their own', () => {
  test('each have a pid file that names a process', async () => {
    deepEqual(
      (await readdir(runFolder())).toSorted(),
      names.map((name) => `${name}.pid`),
    );
    for (const name of names) equal(isAlive(await pidOf(name)), true, name);
    equal(await ask(), 200);
  });

  test.for(names)('come back when %s is killed', async (name) => {
    const before = await pidOf(name);
    process.kill(before, 'SIGKILL');
    const after = await eventually(
      () => pidOf(name),
      (pid) => pid > 0 && pid !== before,
      comebackTimeoutMs,
    );
    notEqual(after, before);
    await eventually(ask, (status) => status === 200, comebackTimeoutMs);
    await eventually(listKeys, (status) => status === 200, comebackTimeoutMs);
  });

  test('end with a supervisor that is killed, and start again at once', async () => {
    const before = await Promise.all(names.map(pidOf));
    await sluice.kill();
    sluice = await sluice.restart();
    deepEqual(before.filter(isAlive), []);
    equal(await ask(), 200);
  });

  test('leave nothing behind when they are stopped', async () => {
    const running = await Promise.all(names.map(pidOf));
    equal(await sluice.stop(), 0);
    deepEqual(running.filter(isAlive), []);
    deepEqual(await readdir(runFolder()), []);
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
