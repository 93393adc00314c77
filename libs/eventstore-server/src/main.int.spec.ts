import { deepEqual, equal, match } from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, onTestFinished, test } from 'vitest';
import { openEventLog } from './open-event-log.ts';
import { scratchDirectory } from './testing/scratch.ts';

const main = fileURLToPath(new URL('main.ts', import.meta.url));

function run(...args: readonly string[]) {
  const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let errors = '';
  child.stderr.on('data', (text: Buffer) => (errors += text.toString()));
  const line = once(child.stdout, 'data').then(([text]) => String(text));
  return { child, line, errors: () => errors };
}

async function exitCode(child: ChildProcess): Promise<unknown> {
  return child.exitCode ?? (await once(child, 'close'))[0];
}

describe('the node as a process', () => {
  test('says its port in one line of JSON, and that it is the embedded node', async () => {
    const { child, line, errors } = run('--dir', await scratchDirectory(), '--port', '0');
    const ready = JSON.parse(await line) as { port: number };
    deepEqual(ready, { port: ready.port, ready: true });
    equal(ready.port > 0, true);
    child.kill('SIGTERM');
    equal(await exitCode(child), 0);
    match(errors(), /embedded node/);
  });

  test('is refused a directory that another one has, in one sentence', async () => {
    const directory = await scratchDirectory();
    const first = run('--dir', directory, '--port', '0');
    await first.line;
    const second = run('--dir', directory, '--port', '0');
    equal(await exitCode(second.child), 1);
    equal(second.errors(), `The directory ${directory} is in use by another event store node.\n`);
  });

  test('gets the directory of one that was killed', async () => {
    const directory = await scratchDirectory();
    const first = run('--dir', directory, '--port', '0');
    await first.line;
    first.child.kill('SIGKILL');
    await exitCode(first.child);
    match(await run('--dir', directory, '--port', '0').line, /"ready":true/);
  });

  test('says so in one sentence when its port is in use or it has no certificate', async () => {
    const first = run('--dir', await scratchDirectory(), '--port', '0');
    const { port } = JSON.parse(await first.line) as { port: number };
    const second = run('--dir', await scratchDirectory(), '--port', String(port));
    equal(await exitCode(second.child), 1);
    equal(second.errors(), `Cannot listen on 127.0.0.1:${port}: the port is in use.\n`);
    const directory = await scratchDirectory();
    const third = run('--dir', directory, '--port', '0', '--tls', directory);
    equal(await exitCode(third.child), 1);
    match(third.errors(), /^ENOENT.*node\.(crt|key)'\n$/);
  });

  test('refuses a log whose end is missing, in one sentence, unless that is accepted', async () => {
    const directory = await scratchDirectory();
    const log = await openEventLog({ directory });
    await log.begin('a-1', { id: randomUUID(), type: 'ThingHappened', data: {}, metadata: {} });
    await log.close();
    await rm(join(directory, '0000000000000000.log'));
    const second = run('--dir', directory, '--port', '0');
    equal(await exitCode(second.child), 1);
    match(second.errors(), /^.*0000000000000000\.log is missing, .*--accept-loss.*\n$/);
    const third = run('--dir', directory, '--port', '0', '--accept-loss');
    match(await third.line, /"ready":true/);
  });

  test('refuses options that it does not understand', async () => {
    const directory = await scratchDirectory();
    for (const args of [[], ['--dir', directory, '--port', 'x'], ['--dir', directory, '--what']]) {
      const { child, errors } = run(...args);
      equal(await exitCode(child), 1);
      match(errors(), /usage: npm run eventstore/);
    }
  });
});
