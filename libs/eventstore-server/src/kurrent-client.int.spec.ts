import { deepEqual } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { test } from 'vitest';
import { startEventStoreServer } from './index.ts';

const script = fileURLToPath(new URL('testing/kurrent-client.ts', import.meta.url));

test('the successor of the official client appends, reads, subscribes and deletes', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-kurrent-'));
  const server = await startEventStoreServer({ directory, port: 0 });
  try {
    const url = server.url.replace('esdb:', 'kurrentdb:');
    const { stdout } = await promisify(execFile)(process.execPath, [script], {
      timeout: 20_000,
      env: { ...process.env, KURRENTDB_URL: url },
    });
    deepEqual(JSON.parse(stdout), {
      revision: '2',
      conflict: 'refused',
      forwards: [1, 2, 3],
      backwards: [3, 2],
      subscribed: [{ n: 1 }, { n: 2 }, { n: 3 }],
      deleted: 'StreamNotFoundError',
    });
  } finally {
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  }
});
