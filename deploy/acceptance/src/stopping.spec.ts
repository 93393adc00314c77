import { deepEqual, equal, ok } from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, onTestFinished, test } from 'vitest';
import { freePort } from '@sluice/embedded';
import { eventually } from './http.ts';
import { withoutOurs } from './instance.ts';

const checkout = join(import.meta.dirname, '..', '..', '..');
/** The last line that each command prints when it has started. */
const started = 'Ctrl-C stops everything.';

/** Both run through npm, which `make` sends its signals to. `-o install` leaves out what `make` would install first: other tests use it meanwhile. */
const ways: readonly { readonly command: readonly string[]; readonly parts: number }[] = [
  { command: ['make', '-o', 'install', 'services'], parts: 10 },
  { command: ['make', '-o', 'install', 'start'], parts: 2 },
];

describe('a SIGTERM to the command that was typed', () => {
  test.for(ways)('ends every process of it: $command', async ({ command, parts }) => {
    const { child, dataDirectory } = await startCommand(command);
    const pids = [...(await descendantsOf(child.pid ?? 0)), ...(await pidsIn(dataDirectory))];
    ok(new Set(pids).size >= parts, `only ${pids.length} processes`);
    child.kill('SIGTERM');
    await eventually(async () => pids.filter(isAlive), isEmpty);
    deepEqual(await pidsIn(dataDirectory), []);
    equal(child.exitCode === null && child.signalCode === null, false);
  });
});

async function startCommand([program = '', ...words]: readonly string[]) {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'sluice-stopping-'));
  const child = spawn(program, words, {
    cwd: checkout,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...withoutOurs(process.env),
      SLUICE_DATA_DIR: dataDirectory,
      SLUICE_PORT: String(await freePort()),
      SLUICE_ADMIN_PORT: String(await freePort()),
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  onTestFinished(() => end(child, dataDirectory));
  await eventually(
    async () => output,
    (text) => text.includes(started) || child.exitCode !== null,
  );
  equal(child.exitCode, null, output);
  return { child, dataDirectory };
}

/** Leaves nothing behind, whatever the test found. */
async function end(child: ChildProcess, dataDirectory: string): Promise<void> {
  const left = [...(await descendantsOf(child.pid ?? 0)), ...(await pidsIn(dataDirectory))];
  for (const pid of [child.pid ?? 0, ...left].filter(isAlive)) process.kill(pid, 'SIGTERM');
  await eventually(async () => left.filter(isAlive), isEmpty);
  await rm(dataDirectory, { recursive: true, force: true, maxRetries: 5 });
}

async function pidsIn(dataDirectory: string): Promise<readonly number[]> {
  const folder = join(dataDirectory, 'run');
  const files = await readdir(folder).catch(() => []);
  const pidFiles = files.filter((name) => name.endsWith('.pid'));
  const texts = await Promise.all(pidFiles.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.map(Number);
}

/** Children, their children, and so on, as the kernel has them now. */
async function descendantsOf(root: number): Promise<readonly number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const parents = new Map<number, number>();
  for (const pid of pids) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
    // The name of the program stands in parentheses and may hold any character.
    const parent = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
    if (parent !== undefined) parents.set(Number(pid), Number(parent));
  }
  const found = new Set([root]);
  for (let size = 0; size !== found.size;) {
    size = found.size;
    for (const [pid, parent] of parents) if (found.has(parent)) found.add(pid);
  }
  found.delete(root);
  return [...found];
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const isEmpty = (pids: readonly number[]) => pids.length === 0;
