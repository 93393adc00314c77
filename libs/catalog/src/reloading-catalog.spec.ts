import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, test, vi } from 'vitest';
import { sampleModel } from './testing/sample-models.ts';
import { atMidnight } from './at-midnight.ts';
import { type Catalog, createCatalog } from './catalog.ts';
import { reloadingCatalog, type ReloadOutcome } from './reloading-catalog.ts';

const never = () => Promise.reject(new Error('not asked here'));
const silent = { info: () => {}, error: () => {} };
const of = (...ids: readonly string[]) =>
  createCatalog(
    ids.map((id) => sampleModel(id)),
    [],
  );

describe('a catalog that is read again', () => {
  test('has the version of what it lists, whoever reads it', async () => {
    const version = async (catalog: Catalog) =>
      (await reloadingCatalog(async () => catalog, never, silent)).version;
    equal(await version(of('a/b', 'a/c')), await version(of('a/b', 'a/c')));
    ok((await version(of('a/b'))) !== (await version(of('a/c'))));
    const [cheap, dear] = ['0.000001', '0.000002'].map((prompt) => {
      const model = sampleModel('a/b');
      const endpoints = model.endpoints.map((one) => ({
        ...one,
        pricing: { prompt, completion: '0' },
      }));
      return createCatalog([{ ...model, endpoints }], []);
    });
    ok(cheap && dear && (await version(cheap)) !== (await version(dear)));
  });

  test('says what became of it, and whether what is there now is refused', async () => {
    let there: Catalog | undefined = of('a/b');
    const outcomes: ReloadOutcome[] = [];
    const load = async () => {
      if (!there) throw new Error('it is wrong');
      return there;
    };
    const catalog = await reloadingCatalog(load, load, silent, (outcome) => outcomes.push(outcome));
    const { version } = catalog;
    there = undefined;
    await catalog.reload();
    deepEqual(
      [catalog.isRefused, catalog.version, catalog.find('a/b')?.id],
      [true, version, 'a/b'],
    );
    there = of('a/c');
    await catalog.reload();
    deepEqual([catalog.isRefused, catalog.find('a/b')], [false, undefined]);
    ok(catalog.version !== version);
    deepEqual(outcomes, ['refused', 'taken']);
  });

  test('is never replaced by what was read before it', async () => {
    const asked: PromiseWithResolvers<Catalog>[] = [];
    const load = () => {
      const answer = Promise.withResolvers<Catalog>();
      asked.push(answer);
      return answer.promise;
    };
    const opened = reloadingCatalog(load, load, silent);
    asked[0]?.resolve(of('a/a'));
    const catalog = await opened;
    const first = catalog.reload();
    await Promise.resolve();
    const [second, third] = [catalog.reload(), catalog.reload()];
    // Calls during a read share the next one.
    equal(second, third);
    equal(asked.length, 2);
    asked[1]?.resolve(of('a/b'));
    await first;
    equal(catalog.find('a/b')?.id, 'a/b');
    asked[2]?.resolve(of('a/c'));
    await third;
    equal(catalog.find('a/c')?.id, 'a/c');
    equal(asked.length, 3);
  });
});

test.each([-7_200_000, 7_200_000])('midnight comes with a clock that is set by %d ms', (byMs) => {
  const midnightMs = 86_400_000 * 20_000;
  vi.useFakeTimers({ now: midnightMs - 10_800_000 });
  try {
    let midnights = 0;
    const end = atMidnight(Date.now, () => (midnights += 1));
    vi.setSystemTime(midnightMs - 10_800_000 + byMs);
    vi.advanceTimersByTime(10_800_000 - byMs - 60_000);
    equal(midnights, 0);
    vi.advanceTimersByTime(120_000);
    equal(midnights, 1);
    end();
  } finally {
    vi.useRealTimers();
  }
});

test('midnight is when a day of UTC begins, and does not come after the end', () => {
  vi.useFakeTimers({ now: 86_400_000 * 20_000 - 10 });
  try {
    let midnights = 0;
    const end = atMidnight(Date.now, () => (midnights += 1));
    const after = (ms: number) => {
      vi.advanceTimersByTime(ms);
      return midnights;
    };
    deepEqual([9, 1, 86_399_999, 1].map(after), [0, 1, 1, 2]);
    end();
    equal(after(86_400_000), 2);
  } finally {
    vi.useRealTimers();
  }
});
