import { equal, rejects } from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@sluice/patience';
import { afterEach, beforeEach, describe, test } from 'vitest';
import { runAgent } from './run-agent.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-agent-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Starts a process of its own, and writes the ids of both. */
const program = `
const { spawn } = require('node:child_process');
const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
require('node:fs').writeFileSync('pids', JSON.stringify([process.pid, child.pid]));
process.on('SIGINT', () => {});
setInterval(() => {}, 1000);
`;

const agent = {
  settings: () => ({}),
  job: () => ['-e', program],
  environment: () => ({}),
};

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('an agent whose trials are interrupted', () => {
  const run = (signal: AbortSignal) =>
    runAgent(agent, {
      installed: { command: process.execPath, args: [] },
      seat: { rootUrl: '', key: '', model: '', home: folder, work: folder },
      prompt: 'work',
      environment: {},
      signal,
    });

  test('ends at once, with what it has started', async () => {
    const interruption = new AbortController();
    const ended = run(interruption.signal);
    let pids: number[] = [];
    await eventually(async () => {
      pids = JSON.parse(await readFile(join(folder, 'pids'), 'utf8')) as number[];
    });
    equal(pids.every(isRunning), true);
    interruption.abort();
    equal((await ended).code, undefined);
    await eventually(() => equal(pids.some(isRunning), false));
  });

  test('is not started afterwards', async () => {
    await rejects(run(AbortSignal.abort()), { name: 'AbortError' });
  });
});
