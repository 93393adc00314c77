import { ok } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@sluice/patience';
import { afterAll, beforeAll, test } from 'vitest';
import { garbageOf, withGarbage, threadsOf } from './garbage.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-garbage-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const wasteful = 'setInterval(() => { globalThis.last = Array(1e5).fill(0).map(() => ({})); }, 1)';

test('the garbage and the threads of a process that runs are known from outside', async () => {
  const env = { ...process.env, ...withGarbage({}, folder) };
  const child = spawn(process.execPath, ['-e', wasteful], { env, stdio: 'ignore' });
  try {
    const pids = [child.pid ?? 0];
    await until(async () => {
      const { freedBytes, pausedMs } = await garbageOf(folder, pids);
      return freedBytes > 10_000_000 && pausedMs > 0;
    });
    const { mainMs, helpersMs } = await threadsOf(pids);
    ok(mainMs > 0 && helpersMs >= 0, `${mainMs} ms, ${helpersMs} ms`);
  } finally {
    child.kill('SIGKILL');
  }
});
