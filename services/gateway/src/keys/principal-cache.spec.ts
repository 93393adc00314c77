import { deepEqual, equal, rejects } from 'node:assert/strict';
import { Fault } from '@sluice/errors';
import { KeyKind, type Key } from '@sluice/protos/sluice/key/v1/key';
import fc from 'fast-check';
import { describe, onTestFinished, test } from 'vitest';
import { manualClock } from '../testing/manual-clock.ts';
import { createPrincipalCache } from './principal-cache.ts';
import { KeyCaller } from '../caller/key-caller.ts';

const startedMs = Date.parse('2026-11-20T12:00:00.000Z');
const presented = { hash: 'a'.repeat(64), secret: 'a secret' };

/** A cache over a source whose answers the test lets go one by one. */
function controlled() {
  const clock = manualClock(startedMs);
  const asked: PromiseWithResolvers<KeyCaller | undefined>[] = [];
  let hearing = true;
  const cache = createPrincipalCache({
    clock,
    unsubscribedMs: () => (hearing ? 0 : Infinity),
    resolve() {
      const answer = Promise.withResolvers<KeyCaller | undefined>();
      asked.push(answer);
      return answer.promise;
    },
  });
  // A question without an answer would be a refusal in a later test.
  onTestFinished(() => asked.forEach((each) => each.resolve(undefined)));
  const answered = async (key: KeyCaller | undefined) => {
    const found = cache.find(presented);
    asked.at(-1)?.resolve(key);
    return found;
  };
  return { cache, clock, asked, answered, hear: (receives: boolean) => void (hearing = receives) };
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

  test('is asked for again after a minute while changes are received', async () => {
    const { cache, clock, asked, answered } = controlled();
    await answered(named('one'));
    clock.advance(59_999);
    equal(nameOf(await cache.find(presented)), 'one');
    clock.advance(1);
    equal(nameOf(await answered(named('two'))), 'two');
    equal(asked.length, 2);
  });

  test('is asked for again after five seconds while changes are not received', async () => {
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

  test('is not cached from a failure', async () => {
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
    cache.changed({ hash: presented.hash, isRevoked: false });
    equal(nameOf(await answered(named('after'))), 'after');
  });

  test('makes an unknown key known at once', async () => {
    const { cache, answered } = controlled();
    await answered(undefined);
    cache.changed({ hash: presented.hash, isRevoked: false });
    equal(nameOf(await answered(named('new'))), 'new');
  });

  test.each(['a notice', 'the return of the bus'] as const)(
    'that arrives (%s) while an answer is on its way keeps the old answer out',
    async (how) => {
      const { cache, asked } = controlled();
      const before = cache.find(presented);
      if (how === 'a notice') cache.changed({ hash: presented.hash, isRevoked: false });
      else cache.subscribedAnew();
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
    cache.changed({ hash: presented.hash, isRevoked: false });
    asked[0]?.resolve(named('old'));
    await before;
    equal(nameOf(await answered(named('new'))), 'new');
  });

  test('leaves other keys alone', async () => {
    const { cache, asked, answered } = controlled();
    await answered(named('one'));
    cache.changed({ hash: 'b'.repeat(64), isRevoked: false });
    await cache.find(presented);
    equal(asked.length, 1);
  });
});

describe('while answers fail', () => {
  const minuteMs = 60_000;
  const failing = (controls: ReturnType<typeof controlled>) => {
    const found = controls.cache.find(presented);
    controls.asked.at(-1)?.reject(new Fault('unavailable'));
    return found;
  };

  test.each([
    ['is old', (controls: ReturnType<typeof controlled>) => controls.clock.advance(minuteMs)],
    [
      'has changed',
      (controls: ReturnType<typeof controlled>) =>
        controls.cache.changed({ hash: presented.hash, revision: 1n, isRevoked: false }),
    ],
  ])('what %s is used as it was known last, for an hour', async (_name, happen) => {
    const controls = controlled();
    await controls.answered(named('one'));
    happen(controls);
    equal(nameOf(await failing(controls)), 'one');
    controls.clock.advance(59 * minuteMs - 1);
    equal(nameOf(controls.cache.known(presented)), 'one', 'without a wait');
    controls.asked.at(-1)?.reject(new Fault('unavailable'));
    controls.clock.advance(2 * minuteMs);
    await rejects(failing(controls), { code: 'unavailable' });
  });

  test('a key that was revoked is refused, whatever was known of it', async () => {
    const controls = controlled();
    await controls.answered(named('one'));
    controls.cache.changed({ hash: presented.hash, revision: 1n, isRevoked: true });
    equal(await controls.cache.find(presented), undefined);
    equal(controls.asked.length, 1, 'without a question');
    controls.clock.advance(minuteMs);
    equal(await failing(controls), undefined);
    controls.cache.changed({ hash: presented.hash, revision: 2n, isRevoked: false });
    await rejects(failing(controls), { code: 'unavailable' });
    equal(nameOf(await controls.answered(named('enabled', 2))), 'enabled');
  });

  test('what was cached before the bus came back is used for five seconds', async () => {
    const controls = controlled();
    await controls.answered(named('one'));
    controls.clock.advance(1);
    controls.cache.subscribedAnew();
    equal(nameOf(await failing(controls)), 'one');
    controls.clock.advance(5_000);
    await rejects(failing(controls), { code: 'unavailable' });
  });

  test('few questions are asked, and the first answer ends it', async () => {
    const controls = controlled();
    await controls.answered(named('one'));
    controls.clock.advance(minuteMs);
    await failing(controls);
    for (let number = 0; number < 100; number++) controls.cache.known(presented);
    equal(controls.asked.length, 2, 'a question that failed is not asked again at once');
    controls.clock.advance(1_000);
    for (let number = 0; number < 100; number++) controls.cache.known(presented);
    equal(controls.asked.length, 3);
    controls.asked[2]?.resolve(named('two'));
    equal(nameOf(await controls.cache.find(presented)), 'one', 'the answer is on its way');
    equal(nameOf(controls.cache.known(presented)), 'two');
  });
});

describe('notices', () => {
  const notices = fc.array(
    fc.record({ revision: fc.integer({ min: 1, max: 6 }), repeated: fc.boolean() }),
    { minLength: 1, maxLength: 12 },
  );

  test('in any order, however often repeated, leave the key as its last event does', async () => {
    await fc.assert(
      fc.asyncProperty(
        notices,
        fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }),
        async (heard, revoked) => {
          const { cache, answered, asked } = controlled();
          await answered(named('one', 0));
          for (const { revision, repeated } of heard)
            for (let times = repeated ? 2 : 1; times > 0; times--)
              cache.changed({
                hash: presented.hash,
                revision: BigInt(revision),
                isRevoked: revoked[revision] ?? false,
              });
          const last = Math.max(...heard.map(({ revision }) => revision));
          const before = asked.length;
          const found = cache.find(presented);
          if (revoked[last]) {
            equal(await found, undefined);
            equal(asked.length, before);
          } else {
            equal(asked.length, before + 1);
            asked.at(-1)?.resolve(named('now', last));
            equal(nameOf(await found), 'now');
            for (const { revision } of heard)
              cache.changed({
                hash: presented.hash,
                revision: BigInt(revision),
                isRevoked: revoked[revision] ?? false,
              });
            const again = cache.find(presented);
            asked.at(-1)?.resolve(named('again', last));
            equal(nameOf(await again), 'again', 'a notice that comes late refuses nothing');
          }
        },
      ),
    );
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
  includeByokInLimit: false,
  createdAt: '',
  updatedAt: '',
  source: 'api',
};

function named(name: string, revision?: number): KeyCaller {
  return new KeyCaller({ ...key, label: name }, revision === undefined ? {} : { revision });
}

function nameOf(resolved: KeyCaller | undefined): string | undefined {
  return resolved?.key.label;
}
