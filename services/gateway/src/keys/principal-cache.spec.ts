import { deepEqual, equal, rejects } from 'node:assert/strict';
import { Fault } from '@sluice/errors';
import { KeyKind, type Key } from '@sluice/protos/sluice/key/v1/key';
import { describe, test } from 'vitest';
import { manualClock } from '../testing/manual-clock.ts';
import { createPrincipalCache } from './principal-cache.ts';
import { ResolvedKey } from './resolved-key.ts';

const startedMs = Date.parse('2026-11-20T12:00:00.000Z');
const presented = { hash: 'a'.repeat(64), secret: 'a secret' };

/** A cache over a source whose answers the test lets go one by one. */
function controlled() {
  const clock = manualClock(startedMs);
  const asked: PromiseWithResolvers<ResolvedKey | undefined>[] = [];
  let hearing = true;
  const cache = createPrincipalCache({
    clock,
    hearsChanges: () => hearing,
    resolve() {
      const answer = Promise.withResolvers<ResolvedKey | undefined>();
      asked.push(answer);
      return answer.promise;
    },
  });
  const answered = async (key: ResolvedKey | undefined) => {
    const found = cache.find(presented);
    asked.at(-1)?.resolve(key);
    return found;
  };
  return { cache, clock, asked, answered, hear: (hears: boolean) => void (hearing = hears) };
}

describe('what is known of a key', () => {
  test('is asked for once and then answered from memory', async () => {
    const { cache, asked, answered } = controlled();
    equal(await answered(named('one')), await cache.find(presented));
    equal(asked.length, 1);
    equal(cache.size, 1);
  });

  test('is asked for once however many requests wait for it', async () => {
    const { cache, asked } = controlled();
    const waiting = [cache.find(presented), cache.find(presented), cache.find(presented)];
    equal(asked.length, 1);
    asked[0]?.resolve(named('one'));
    deepEqual((await Promise.all(waiting)).map(nameOf), ['one', 'one', 'one']);
  });

  test('is asked for again after a minute while changes are heard', async () => {
    const { cache, clock, asked, answered } = controlled();
    await answered(named('one'));
    clock.advance(59_999);
    equal(nameOf(await cache.find(presented)), 'one');
    clock.advance(1);
    equal(nameOf(await answered(named('two'))), 'two');
    equal(asked.length, 2);
  });

  test('is asked for again after five seconds while changes are not heard', async () => {
    const { clock, hear, answered } = controlled();
    await answered(named('one'));
    hear(false);
    clock.advance(4_999);
    equal(nameOf(await answered(named('two'))), 'one');
    clock.advance(1);
    equal(nameOf(await answered(named('two'))), 'two');
  });

  test('counts from when it was asked for, not from when the answer came', async () => {
    const { cache, clock, asked } = controlled();
    const found = cache.find(presented);
    clock.advance(59_000);
    asked[0]?.resolve(named('one'));
    await found;
    clock.advance(1_000);
    void cache.find(presented);
    equal(asked.length, 2);
  });

  test('is not trusted when the clock went back', async () => {
    const { cache, clock, asked, answered } = controlled();
    await answered(named('one'));
    clock.advance(-1);
    void cache.find(presented);
    equal(asked.length, 2);
  });

  test('is kept for five seconds when there is no such key', async () => {
    const { cache, clock, asked, answered } = controlled();
    equal(await answered(undefined), undefined);
    clock.advance(4_999);
    equal(await cache.find(presented), undefined);
    equal(asked.length, 1);
    clock.advance(1);
    equal(nameOf(await answered(named('new'))), 'new');
  });

  test('is not learnt from a failure', async () => {
    const { cache, asked, answered } = controlled();
    const found = cache.find(presented);
    asked[0]?.reject(new Fault('unavailable'));
    await rejects(found, Fault);
    equal(nameOf(await answered(named('one'))), 'one');
  });
});

describe('a change of a key', () => {
  test('makes the next request ask', async () => {
    const { cache, answered } = controlled();
    await answered(named('before'));
    cache.forget(presented.hash);
    equal(nameOf(await answered(named('after'))), 'after');
  });

  test('makes an unknown key known at once', async () => {
    const { cache, answered } = controlled();
    await answered(undefined);
    cache.forget(presented.hash);
    equal(nameOf(await answered(named('new'))), 'new');
  });

  test.each(['forget', 'forgetAll'] as const)(
    'that arrives (%s) while an answer is on its way keeps the old answer out',
    async (how) => {
      const { cache, asked } = controlled();
      const before = cache.find(presented);
      if (how === 'forget') cache.forget(presented.hash);
      else cache.forgetAll();
      const after = cache.find(presented);
      equal(asked.length, 2, 'a request after the change must not join the old question');
      asked[1]?.resolve(named('new'));
      equal(nameOf(await after), 'new');
      asked[0]?.resolve(named('old'));
      equal(nameOf(await before), 'old');
      equal(nameOf(await cache.find(presented)), 'new');
    },
  );

  test('keeps the old answer out also when nobody has asked since', async () => {
    const { cache, asked, answered } = controlled();
    const before = cache.find(presented);
    cache.forget(presented.hash);
    asked[0]?.resolve(named('old'));
    await before;
    equal(nameOf(await answered(named('new'))), 'new');
  });

  test('leaves other keys alone', async () => {
    const { cache, asked, answered } = controlled();
    await answered(named('one'));
    cache.forget('b'.repeat(64));
    await cache.find(presented);
    equal(asked.length, 1);
  });
});

describe('the bounds', () => {
  test('let a thousand questions be open, and refuse the next', async () => {
    const { cache, asked } = controlled();
    const numbered = (number: number) => ({ hash: String(number), secret: '' });
    const open = Array.from({ length: 1_000 }, (_, number) => cache.find(numbered(number)));
    await rejects(cache.find(numbered(1_000)), { code: 'unavailable' });
    asked[0]?.resolve(undefined);
    await open[0];
    void cache.find(numbered(1_001));
    equal(asked.length, 1_001);
  });

  test('keep what was met apart from what was only guessed', async () => {
    const { cache, clock, answered } = controlled();
    await answered(undefined);
    equal(cache.hasMet(presented.hash), false);
    clock.advance(5_000);
    await answered(named('one'));
    clock.advance(3_600_000);
    equal(cache.hasMet(presented.hash), true);
  });
});

const key: Key = {
  hash: presented.hash,
  kind: KeyKind.KEY_KIND_REGULAR,
  label: '',
  name: '',
  disabled: false,
  accountId: 'org_1',
  workspaceId: '',
  limitNanoUsd: undefined,
  limitReset: '',
  includeByokInLimit: false,
  expiresAt: '',
  creatorUserId: '',
  createdAt: '',
  updatedAt: '',
  externalUser: '',
  source: 'api',
  lastUsedAt: '',
};

function named(name: string): ResolvedKey {
  return new ResolvedKey({ ...key, label: name });
}

function nameOf(resolved: ResolvedKey | undefined): string | undefined {
  return resolved?.key.label;
}
