import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { descendantsOf, parseStat, statOf } from './process-stat.ts';

describe('the figures of a process', () => {
  test('are found behind a name that holds brackets and spaces', () => {
    const before = '4242 (node (x) 1) S 17 4242 4242 0 -1 4194304 1 2 3 4';
    const text = `${before} 150 50 7 3 20 0 11 0 1234 1000000 2500 18446744073709551615`;
    deepEqual(parseStat(text), {
      parentPid: 17,
      cpuMs: 2_000,
      endedChildrenCpuMs: 100,
      residentBytes: 2_500 * 4_096,
    });
  });

  test('are those of a running one, and none of one that is not there', async () => {
    const own = await statOf(process.pid);
    equal(own?.parentPid, process.ppid);
    ok((own?.residentBytes ?? 0) > 10_000_000);
    ok((own?.cpuMs ?? 0) > 0);
    equal(await statOf(2 ** 30), undefined);
  });

  test('of those below it are those of its children', async () => {
    const below = await descendantsOf([process.ppid]);
    ok(below.includes(process.pid));
    ok(!below.includes(process.ppid));
  });
});
