import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { descendantsOf, isAlive } from '@sluice/testing/process-stat';
import { afterAll, beforeAll, describe, onTestFinished, test } from 'vitest';
import { freePort } from '@sluice/embedded';
import type { Bootstrap } from '@sluice/local';
import { eventually, json } from './http.ts';
import { type Environment, startInstance, withoutOurs } from './instance.ts';

const checkout = join(import.meta.dirname, '..', '..', '..');
/** The last line that each command prints when it has started. */
const started = 'Ctrl-C stops everything.';

/** The last thing that a log holds after a stop: no event, but on disk as everything before it. */
const closingBytes = 21;

let dataDirectory: string;
beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'sluice-directory-'));
  for (const name of ['eventstore', 'logs']) await mkdir(join(dataDirectory, name));
  const log = join(dataDirectory, 'logs', 'sluice.log');
  await writeFile(log, '');
  await chmod(log, 0o666);
});
afterAll(() => rm(dataDirectory, { recursive: true, force: true, maxRetries: 5 }));

/** Each test goes on with the directory as the one before it left it. */
describe('a data directory', () => {
  test('is closed to others by make start, of which a SIGTERM leaves no process', async () => {
    await openToOthers();
    const { child } = await startCommand('start');
    await use();
    deepEqual(await openEntries(), []);
    await endsAtSignal(child, 2);
  });

  /** lost-events.int.spec.ts of the node has each kind of loss. */
  test('whose event log lacks its end is not started on, and left as it is', async () => {
    const folder = join(dataDirectory, 'eventstore');
    const names = (await readdir(folder)).filter((name) => name.endsWith('.log')).toSorted();
    const last = join(folder, names.at(-1) ?? '');
    const { size } = await stat(last);
    await truncate(last, size - closingBytes);
    const starting = startInstance({ SLUICE_DATA_DIR: dataDirectory }, 'processes');
    await rejects(starting, ({ message }: Error) => {
      match(message, /exit 1/);
      match(message, /acknowledged: 21 bytes are missing/);
      match(message, /SLUICE_EVENTSTORE_ACCEPT_LOSS=true/);
      return true;
    });
    equal((await stat(last)).size, size - closingBytes);
  });

  test('serves once the loss is accepted, and is as closed with make services, which leaves nothing', async () => {
    await openToOthers();
    const permission = { SLUICE_EVENTSTORE_ACCEPT_LOSS: 'true' };
    const { child, output } = await startCommand('services', permission);
    match(output(), /21 acknowledged bytes were lost, and the loss was accepted/);
    const metrics = await (await fetch(await metricsOfNode())).text();
    match(metrics, /^eventstore_recovery_lost_bytes(\{.*\})? 21$/m);
    match(metrics, /^eventstore_recovery_position\{.*when="before".*\} \d+$/m);
    await use();
    deepEqual(await openEntries(), []);
    await endsAtSignal(child, 10);
  });
});

async function endsAtSignal(child: ChildProcess, processesMin: number): Promise<void> {
  const pids = [...(await descendantsOf([child.pid ?? 0])), ...(await pidsOfParts())];
  ok(new Set(pids).size >= processesMin, `only ${pids.length} processes`);
  child.kill('SIGTERM');
  await eventually(async () => pids.filter(isAlive), isEmpty);
  deepEqual(await pidsOfParts(), []);
  equal(child.exitCode === null && child.signalCode === null, false);
}

/** The node has a port of its own where it is a process of its own. */
async function metricsOfNode(): Promise<string> {
  const ports = JSON.parse(await readFile(join(dataDirectory, 'ports.json'), 'utf8')) as {
    readonly 'eventstore-admin': number;
  };
  return `http://127.0.0.1:${ports['eventstore-admin']}/metrics`;
}

interface Entry {
  readonly path: string;
  readonly mode: number;
  readonly isOurs: boolean;
}

/** Returns everything below the data directory, itself included. What a server takes away meanwhile is left out. */
async function entries(): Promise<readonly Entry[]> {
  const names = await readdir(dataDirectory, { recursive: true });
  const paths = [dataDirectory, ...names.map((name) => join(dataDirectory, name))];
  const found = paths.map(async (path) => {
    const entry = await lstat(path).catch(() => undefined);
    if (!entry || entry.isSymbolicLink()) return [];
    return [{ path, mode: entry.mode & 0o777, isOurs: entry.uid === process.getuid?.() }];
  });
  return (await Promise.all(found)).flat();
}

/** Gives everything the modes that an earlier version with another umask would have left. */
async function openToOthers(): Promise<void> {
  for (const { path, mode, isOurs } of await entries()) if (isOurs) await chmod(path, mode | 0o055);
}

/** Returns what group or others may access. */
async function openEntries(): Promise<readonly string[]> {
  const all = await entries();
  ok(all.length > 500, `${all.length} entries`);
  return all
    .filter(({ mode }) => (mode & 0o077) !== 0)
    .map(({ path, mode }) => `${mode.toString(8)} ${relative(dataDirectory, path)}`);
}

async function use(): Promise<void> {
  const file = await readFile(join(dataDirectory, 'bootstrap.json'), 'utf8');
  // The refusals of a busy machine are none of those that are tested.
  const patient = { bootstrap: JSON.parse(file) as Bootstrap, isShared: true } as const;
  const body = { model: 'sim/echo', input: 'hello' };
  equal((await json(patient, '/responses', { body })).status, 200);
}

/**
 * Runs a target of make, which goes through npm, without a umask. `-o install` leaves out what `make` would install
 * first: other tests use it meanwhile.
 */
async function startCommand(target: string, environment: Environment = {}) {
  const ports = { SLUICE_PORT: await freePort(), SLUICE_ADMIN_PORT: await freePort() };
  const umask = process.umask(0);
  const child = spawn('make', ['-o', 'install', target], {
    cwd: checkout,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...withoutOurs(process.env),
      SLUICE_DATA_DIR: dataDirectory,
      SLUICE_PORT: String(ports.SLUICE_PORT),
      SLUICE_ADMIN_PORT: String(ports.SLUICE_ADMIN_PORT),
      ...environment,
    },
  });
  process.umask(umask);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  onTestFinished(() => end(child));
  await eventually(
    async () => output,
    (text) => text.includes(started) || child.exitCode !== null,
  );
  equal(child.exitCode, null, output);
  return { child, output: () => output };
}

/** Leaves nothing behind, whatever the test found. */
async function end(child: ChildProcess): Promise<void> {
  const left = [...(await descendantsOf([child.pid ?? 0])), ...(await pidsOfParts())];
  for (const pid of [child.pid ?? 0, ...left].filter(isAlive)) process.kill(pid, 'SIGTERM');
  await eventually(async () => left.filter(isAlive), isEmpty);
}

async function pidsOfParts(): Promise<readonly number[]> {
  const folder = join(dataDirectory, 'run');
  const files = await readdir(folder).catch(() => []);
  const pidFiles = files.filter((name) => name.endsWith('.pid'));
  const texts = await Promise.all(pidFiles.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.map(Number);
}

const isEmpty = (pids: readonly number[]) => pids.length === 0;
