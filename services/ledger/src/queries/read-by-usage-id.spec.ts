import { deepEqual } from 'node:assert/strict';
import { test } from 'vitest';
import { anyAdmission } from './admission-range.ts';
import { readByUsageId } from './read-by-usage-id.ts';

const a = 'gen-01a1ee87-3200-7abc-8123-0123456789ab/1/1';
const b = 'gen-01a1ee87-3200-7abc-8123-0123456789ac/1/1';
const old = 'gen-of-an-early-release/1/1';

/** Reads rows that lie in the range of their ids, or elsewhere. Notes what was asked for. */
function rowsOf({ near, far = [] }: { near: readonly string[]; far?: readonly string[] }) {
  const asked: (readonly [ids: readonly string[], isAny: boolean])[] = [];
  const read = (ids: readonly string[], range: object) => {
    const isAny = range === anyAdmission;
    asked.push([ids, isAny]);
    const there = isAny ? [...near, ...far] : near;
    return Promise.resolve(ids.filter((id) => there.includes(id)).map((usageId) => ({ usageId })));
  };
  return { asked, read };
}

test('rows are looked for where their ids say, each id once', async () => {
  const { asked, read } = rowsOf({ near: [a, b] });
  deepEqual(await readByUsageId([a, b, a], read), [{ usageId: a }, { usageId: b }]);
  deepEqual(asked, [[[a, b], false]]);
});

test('those that are not there are looked for everywhere', async () => {
  const { asked, read } = rowsOf({ near: [a], far: [b] });
  deepEqual(await readByUsageId([a, b], read), [{ usageId: a }, { usageId: b }]);
  deepEqual(asked, [
    [[a, b], false],
    [[b], true],
  ]);
});

test('an id that does not say it is looked for everywhere at once', async () => {
  const { asked, read } = rowsOf({ near: [], far: [] });
  deepEqual(await readByUsageId([a, old], read), []);
  deepEqual(asked, [[[a, old], true]]);
});
