import { equal, notEqual, rejects } from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemIds } from '@sluice/clock-and-ids';
import { afterEach, beforeEach, describe, test } from 'vitest';
import { openReplica } from './replica.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'replica-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('a replica', () => {
  test('keeps its id and takes the next epoch at each start', async () => {
    const first = await openReplica(join(folder, 'new'), systemIds);
    const second = await openReplica(join(folder, 'new'), systemIds);
    equal(first.epoch, 1n);
    equal(second.epoch, 2n);
    equal(second.id, first.id);
  });

  test('is another one in another directory', async () => {
    const first = await openReplica(join(folder, 'a'), systemIds);
    const second = await openReplica(join(folder, 'b'), systemIds);
    notEqual(first.id, second.id);
  });

  test('does not start on a damaged file', async () => {
    await writeFile(join(folder, 'replica.json'), '{"id":"r');
    await rejects(openReplica(folder, systemIds), /damaged/);
  });
});
