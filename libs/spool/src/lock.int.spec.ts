import { deepEqual, equal, match, rejects } from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, onTestFinished, test } from 'vitest';
import { raiseFence } from './fence.ts';
import { openSpool, type Spool } from './spool.ts';
import { scratchDirectory } from './testing/scratch-directory.ts';

const script = fileURLToPath(new URL('testing/appending-process.ts', import.meta.url));

/** Namespaces that the second process has of its own: what two containers with one volume have. */
const separations: Readonly<Record<string, readonly string[]>> = {
  'on the same host': [],
  'in a network namespace of its own': ['unshare', '--net'],
  'in a container of its own': ['unshare', '--net', '--mount', '--uts', '--ipc', '--pid', '--fork'],
};

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();
const records = async (spool: Spool) =>
  (await Array.fromAsync(spool.read(1n))).map(({ payload }) => text(payload));

async function open(directory: string, onFatal: (error: unknown) => void = failed): Promise<Spool> {
  const spool = await openSpool({ directory, segmentBytes: 65_536, onFatal });
  onTestFinished(() => spool.stop());
  return spool;
}

function failed(error: unknown): void {
  throw error;
}

/** Starts a process that appends until it is killed, and waits for its first words. */
async function appendElsewhere(separation: readonly string[], directory: string) {
  const [command, ...args] = [...separation, process.execPath, script, directory];
  // A group of its own, since `unshare --fork` passes no signal on. Its output closes with the last of it.
  const child = spawn(command, args, { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  const kill = async () => {
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined)
      process.kill(-child.pid, 'SIGKILL');
    await ended;
  };
  onTestFinished(kill);
  let errors = '';
  child.stderr.on('data', (bytes: Buffer) => (errors += text(bytes)));
  const acknowledged = once(child.stdout, 'data').then(() => true);
  const isWriting = await Promise.race([acknowledged, ended.then(() => false)]);
  return { isWriting, errors: () => errors, kill };
}

describe.each(Object.entries(separations))('a second process %s', (_, separation) => {
  const [command, ...args] = separation;
  const isPossible = command === undefined || spawnSync(command, [...args, 'true']).status === 0;

  test('does not get a spool that is open here, with a sentence', async ({ skip }) => {
    if (!isPossible) skip('needs root and util-linux unshare');
    const directory = await scratchDirectory();
    const spool = await open(directory);
    await spool.append(Buffer.from('ours'));
    const other = await appendElsewhere(separation, directory);
    equal(other.isWriting, false);
    match(other.errors(), /The spool \S+ is in use by another process: give each replica/);
    await spool.append(Buffer.from('ours, too'));
    deepEqual(await records(spool), ['ours', 'ours, too']);
  });

  test('keeps this one out until it is killed, and not longer', async ({ skip }) => {
    if (!isPossible) skip('needs root and util-linux unshare');
    const directory = await scratchDirectory();
    const other = await appendElsewhere(separation, directory);
    equal(other.isWriting, true, other.errors());
    await rejects(open(directory), { code: 'spool_unavailable', message: /in use by another/ });
    await other.kill();
    const spool = await open(directory);
    const sequence = await spool.append(Buffer.from('ours'));
    equal(sequence, spool.lastSequence());
  });
});

describe('where the file system keeps no locks, the fence', () => {
  test('has a higher epoch at each opening', async () => {
    const directory = await scratchDirectory();
    for (const epoch of [1n, 2n, 3n]) {
      const fence = await raiseFence(directory);
      equal(fence.epoch, epoch);
      fence.assertHeld();
      await fence.close();
    }
    equal((await stat(join(directory, 'fence'))).mode & 0o777, 0o600);
  });

  test('ends the writer before: nothing is acknowledged once another has opened', async () => {
    const directory = await scratchDirectory();
    const fatal: unknown[] = [];
    const spool = await open(directory, (error) => fatal.push(error));
    await spool.append(Buffer.from('before'));
    const other = await raiseFence(directory);
    onTestFinished(() => other.close());
    const outcomes = await Promise.allSettled(
      ['a', 'b', 'c'].map((record) => spool.append(Buffer.from(record))),
    );
    deepEqual(new Set(outcomes.map(({ status }) => status)), new Set(['rejected']));
    await rejects(spool.append(Buffer.from('d')), { code: 'spool_unavailable' });
    match(String(fatal[0]), /was opened by another process after epoch 1/);
    equal(fatal.length, 1);
    other.assertHeld();
    await spool.stop();
    deepEqual(await records(await open(directory)), ['before']);
  });
});
