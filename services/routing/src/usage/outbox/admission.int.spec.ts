import { deepEqual, equal, ok } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@sluice/patience';
import { createLogger } from '@sluice/logging';
import { openSpool, type Spool } from '@sluice/spool';
import { onTestFinished, test } from 'vitest';
import { Admission } from './admission.ts';
import { Outbox } from './outbox.ts';

const logger = createLogger({ service: 'spec', level: 'silent' });
const mebibyte = 1_048_576;
const diskBytes = 16 * mebibyte;
const segmentBytes = mebibyte;

/** Returns undefined if this machine does not let the test mount a disk. */
async function smallDisk(): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'small-disk-'));
  const options = ['-t', 'tmpfs', '-o', `size=${diskBytes}`, 'tmpfs', folder];
  const { status } = spawnSync('mount', options);
  onTestFinished(async () => {
    if (status === 0) spawnSync('umount', [folder]);
    await rm(folder, { recursive: true, force: true });
  });
  return status === 0 ? folder : undefined;
}

function watched(spool: Pick<Spool, 'diskUsed'>): Admission {
  const admission = new Admission({ spool, outbox: new Outbox(), logger, intervalMs: 10 });
  const watching = new AbortController();
  const watch = admission.watch(watching.signal);
  onTestFinished(async () => {
    watching.abort();
    await watch;
  });
  admission.open();
  return admission;
}

test('admission closes at 85 % of the disk, and opens again below it', async () => {
  let used = 0.849;
  const admission = watched({ diskUsed: async () => used });
  await until(() => admission.diskUsed === used);
  equal(admission.closedBecause, undefined);
  used = 0.85;
  await until(() => admission.closedBecause !== undefined);
  equal(admission.closedBecause, 'disk');
  used = 0.5;
  await until(() => admission.closedBecause === undefined);
});

test('on a disk that other data fills, it closes while the spool can still be written', async ({
  skip,
}) => {
  const folder = await smallDisk();
  if (folder === undefined) return skip('needs to be root: a small disk is mounted');
  const failures: unknown[] = [];
  const spool = await openSpool({
    directory: join(folder, 'spool'),
    segmentBytes,
    onFatal: (error) => void failures.push(error),
  });
  onTestFinished(() => spool.stop());
  const admission = watched(spool);
  await until(() => admission.diskUsed > 0);
  equal(admission.closedBecause, undefined);
  await writeFile(join(folder, 'other'), Buffer.alloc(13 * mebibyte));
  await until(() => admission.closedBecause !== undefined);
  ok(admission.diskUsed < 1);
  await spool.append(Buffer.from('what was under way still ends'));
  await rm(join(folder, 'other'));
  await until(() => admission.closedBecause === undefined);
  deepEqual(failures, []);
});
