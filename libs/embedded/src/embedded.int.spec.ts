import { deepEqual, equal, match, notEqual, rejects } from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { until } from '@sluice/patience';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { lockDataDirectory } from './data-directory.ts';
import { ensureNatsServer } from './nats/install.ts';
import { startNats } from './nats/nats.ts';
import { postgresAccount } from './postgres/account.ts';
import { startPostgres } from './postgres/postgres.ts';
import { SetupProblem } from './setup-problem.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-embedded-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const onLog = () => undefined;
const node = join(import.meta.dirname, '../../../node_modules/.bin/node');

describe('PostgreSQL', () => {
  test('keeps its password and its cluster from one start to the next', async () => {
    const directory = join(folder, 'kept');
    const first = await startPostgres({ directory, durability: 'none', onLog });
    await first.stop();
    match(await first.exited, /PostgreSQL ended with exit code 0/);
    const second = await startPostgres({ directory, durability: 'none', onLog });
    try {
      equal(new URL(second.url).password, new URL(first.url).password);
      equal(new URL(second.url).hostname, '127.0.0.1');
      equal((await stat(join(directory, 'password'))).mode & 0o777, 0o600);
    } finally {
      await second.stop();
    }
  });

  test('does not start on a port that is taken, and says so', async () => {
    const directory = join(folder, 'taken');
    const first = await startPostgres({ directory, durability: 'none', onLog });
    try {
      const port = Number(new URL(first.url).port);
      await rejects(
        startPostgres({ directory: join(folder, 'late'), port, durability: 'none', onLog }),
        (error) =>
          error instanceof SetupProblem && /could not bind|could not create/.test(error.message),
      );
    } finally {
      await first.stop();
    }
  });
});

describe('where this user is root', () => {
  const isRoot = process.getuid?.() === 0;

  test.runIf(isRoot)('PostgreSQL runs as another, also below a folder that is closed', async () => {
    const closed = join(folder, 'closed');
    const program = join(closed, 'program');
    await mkdir(closed, { mode: 0o700 });
    await writeFile(program, '#!/bin/sh\nid -u\nenv test -x "$0" && echo reached\n');
    await chmod(program, 0o700);
    const account = await postgresAccount([closed, program]);
    const { command, args, owner } = account.command(program, []);
    const { stdout } = await promisify(execFile)(command, [...args], { cwd: '/', ...owner });
    equal(stdout, `${account.owner?.uid}\nreached\n`);
    notEqual(account.owner?.uid, 0);
  });
});

describe('NATS', () => {
  test('asks for a password, and syncs before it acknowledges', async () => {
    const directory = join(folder, 'nats');
    const binary = await ensureNatsServer(process.env, onLog);
    const nats = await startNats({ directory, binary, onLog });
    try {
      const { port } = new URL(nats.url);
      match(await say(Number(port), 'CONNECT {"verbose":true}\r\n'), /Authorization Violation/);
      const { token, readerPassword } = nats;
      for (const [user, pass] of Object.entries({ sluice: token, reader: readerPassword })) {
        const words = JSON.stringify({ verbose: true, user, pass });
        match(await say(Number(port), `CONNECT ${words}\r\n`), /\+OK/);
      }
      const monitored = await fetch(`${nats.monitorUrl}/jsz?config=true`);
      match(await monitored.text(), /"sync_always": true/);
      const { origin } = new URL(nats.monitorUrl);
      for (const path of ['/', '/varz', '/connz', '/jsz', '/healthz', '/guess/varz'])
        equal((await fetch(origin + path)).status, 404, path);
    } finally {
      await nats.stop();
    }
  });
});

describe('when the process that started them is killed with -9', () => {
  test('its servers end too, and the next start finds the same data', async () => {
    const directory = join(folder, 'killed');
    const parent = spawn(node, [join(import.meta.dirname, 'testing/victim.ts'), directory], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const died = once(parent, 'exit').then(([status]) => {
      throw new Error(`the process that starts both ended with ${String(status)}`);
    });
    const said = once(createInterface({ input: parent.stdout }), 'line');
    const [line] = (await Promise.race([said, died])) as [string];
    died.catch(() => undefined);
    const started = JSON.parse(line) as { pids: number[]; postgresUrl: string };
    deepEqual(started.pids.map(isAlive), [true, true]);
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    // At once, while they still end: the start has to cope.
    const postgres = await startPostgres({
      directory: join(directory, 'postgres'),
      durability: 'none',
      onLog,
    });
    try {
      equal(new URL(postgres.url).password, new URL(started.postgresUrl).password);
      await until(() => !started.pids.some(isAlive));
    } finally {
      await postgres.stop();
    }
  });
});

describe('a data directory', () => {
  test('is held by one at a time', async () => {
    const directory = join(folder, 'data');
    const held = await lockDataDirectory(directory);
    await rejects(lockDataDirectory(directory), /is in use by another Sluice/);
    held.release();
    (await lockDataDirectory(directory)).release();
  });

  test('that cannot be written is named in one sentence', async () => {
    const file = join(folder, 'a-file');
    await writeFile(file, '');
    await rejects(
      lockDataDirectory(join(file, 'data')),
      (error) =>
        error instanceof SetupProblem &&
        error.message ===
          `The data directory ${file}/data cannot be written: set SLUICE_DATA_DIR to another.`,
    );
    await rejects(lockDataDirectory('/proc/nothing/at/all'), /cannot be written/);
  });
});

/** Sends a line to a NATS server and returns its answer. */
async function say(port: number, line: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let heard = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    heard += chunk;
  });
  socket.write(line);
  await until(() => /\+OK|-ERR/.test(heard)).finally(() => socket.destroy());
  return heard;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
