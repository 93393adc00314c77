import { deepEqual, equal, ok } from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'vitest';
import { smallLimits } from '../testing/small-limits.ts';
import { findControlGroups } from './control-groups.ts';

// The kernel's files are plain ones here: they show which settings are written, and where.

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'sluice-groups-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const controllers = 'cpu memory pids';

describe('control groups', () => {
  test('of version 2 are not taken where the kernel does not hand the controllers down', async () => {
    await mkdir(join(root, 'user/service'), { recursive: true });
    await writeFile(join(root, 'user/cgroup.controllers'), controllers);
    equal(await findControlGroups({ root, own: '0::/user/service\n' }), undefined);
  });

  test('of version 1 have the limits of a box', async () => {
    const own = '4:memory:/a\n3:pids:/\n2:cpu,cpuacct:/b\n';
    for (const path of ['memory/a', 'pids', 'cpu/b'])
      await mkdir(join(root, path), { recursive: true });
    const groups = await findControlGroups({ root, own });
    equal(groups?.version, 1);
    const box = join(root, 'memory/a/sluice-sandbox/7-x');
    await mkdir(box, { recursive: true });
    await writeFile(join(box, 'memory.limit_in_bytes'), '');
    await groups?.create('7-x', smallLimits);
    const bytes = await readFile(join(box, 'memory.limit_in_bytes'), 'utf8');
    equal(Number(bytes), smallLimits.memoryBytes + smallLimits.homeBytes);
    ok((await readdir(join(root, 'pids/sluice-sandbox'))).includes('7-x'));
  });

  test('are none where a controller or a right is missing', async () => {
    await mkdir(join(root, 'memory'));
    equal(await findControlGroups({ root, own: '4:memory:/\n3:pids:/\n' }), undefined);
    equal(await findControlGroups({ root: '/none', own: '0::/\n' }), undefined);
    equal(await findControlGroups({ root, own: '' }), undefined);
  });

  test('of processes that are gone are removed, and others stay', async () => {
    const own = '4:memory:/\n3:pids:/\n2:cpu:/\n';
    for (const path of ['memory', 'pids', 'cpu'])
      for (const id of [`${process.pid}-mine`, '4194304-gone'])
        await mkdir(join(root, path, 'sluice-sandbox', id), { recursive: true });
    await (await findControlGroups({ root, own }))?.sweep();
    deepEqual(await readdir(join(root, 'cpu/sluice-sandbox')), [`${process.pid}-mine`]);
  });
});
