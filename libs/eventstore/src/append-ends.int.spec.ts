import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, onTestFinished, test } from 'vitest';
import type { EventToAppend } from '@sluice/es';
import { noFaults } from '@sluice/eventstore-server';
import { watchStalls } from '@sluice/patience';
import { connectEventStore, type ConnectedEventStore } from './index.ts';
import { anEvent } from './testing/an-event.ts';
import { observe } from './testing/observed.ts';
import { restartableNode } from './testing/restartable-node.ts';

const away = { code: 'event_store_unavailable', retryAfterSeconds: 1 };

async function faulty() {
  const faults = noFaults();
  const node = await restartableNode({ faults });
  const store = await connectEventStore({ url: node.url });
  onTestFinished(() => store.stop());
  await store.append('warm-1', [anEvent()], 'no_stream');
  return { faults, node, store };
}

const idsOf = (events: readonly { readonly id: string }[]) => events.map(({ id }) => id);

async function written(store: ConnectedEventStore, stream: string): Promise<readonly string[]> {
  return idsOf(await Array.fromAsync(store.read(stream)));
}

/** Milliseconds that the work takes. */
async function tookMs(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

/** Aborts like the deadline of a caller. */
function within(ms: number): AbortSignal {
  return AbortSignal.timeout(ms);
}

describe('an append without an answer', () => {
  const expectations = ['no_stream', 'any', 0n] as const;

  test.each(expectations)('is sent again and written once, expecting %s', async (expected) => {
    const { faults, store } = await faulty();
    const before: EventToAppend[] = expected === 0n ? [anEvent()] : [];
    if (before.length > 0) await store.append('thing-1', before, 'no_stream');
    faults.unansweredAppends = 3;
    const events = [anEvent({ n: 0 }), anEvent({ n: 1 })];
    const { revision } = await store.append('thing-1', events, expected);
    equal(faults.unansweredAppends, 0, 'three attempts came to nothing');
    deepEqual(await written(store, 'thing-1'), idsOf([...before, ...events]));
    equal(revision, BigInt(before.length + 1));
  });

  test.each(expectations)('that times out is written once, expecting %s', async (expected) => {
    const { faults, store } = await faulty();
    if (expected === 0n) await store.append('thing-1', [anEvent()], 'no_stream');
    faults.timedOutAppends = 2;
    faults.timedOutAppendMs = 0;
    const event = anEvent();
    await store.append('thing-1', [event], expected);
    equal((await written(store, 'thing-1')).filter((id) => id === event.id).length, 1);
  });

  test('holds up no other', async () => {
    const { faults, store } = await faulty();
    const giveUp = new AbortController();
    faults.unansweredAppends = 1_000_000;
    const hanging = Array.from({ length: 60 }, (_, n) =>
      store.append(`hanging-${n}`, [anEvent()], 'no_stream', giveUp.signal),
    );
    const settled = Promise.allSettled(hanging);
    while (faults.unansweredAppends > 1_000_000 - 60) await delay(5);
    faults.unansweredAppends = 0;
    await store.append('healthy-1', [anEvent()], 'no_stream');
    await settled;
    ok((await settled).every(({ status }) => status === 'fulfilled'));
  });

  test('ends with its caller, as a fault that says when to come again', async () => {
    const { faults, store } = await faulty();
    faults.unansweredAppends = 1_000_000;
    const took = await tookMs(() =>
      rejects(store.append('thing-1', [anEvent()], 'no_stream', within(1_500)), away),
    );
    ok(took >= 1_400, `${took} ms`);
    const sent = 1_000_000 - faults.unansweredAppends;
    ok(sent <= 15, `sent ${sent} times in 1.5 s`);
  });

  test('ends after 5 s for a caller that has no deadline', async () => {
    const { faults, store } = await faulty();
    faults.unansweredAppends = 1_000_000;
    const took = await tookMs(() =>
      rejects(store.append('thing-1', [anEvent()], 'no_stream'), away),
    );
    ok(took >= 4_900, `${took} ms`);
  });
});

test('40 callers who append the same events at once share one append', async () => {
  const { faults, store } = await faulty();
  faults.unansweredAppends = 1;
  const event = anEvent();
  const appending = Array.from({ length: 40 }, () => store.append('thing-1', [event], 'no_stream'));
  const answers = await Promise.all(appending);
  equal(new Set(answers.map(({ position }) => position.commit)).size, 1);
  deepEqual(await written(store, 'thing-1'), [event.id]);
});

test('a conflict with others is told, also after attempts without an answer', async () => {
  const { faults, store } = await faulty();
  await store.append('thing-1', [anEvent()], 'no_stream');
  faults.unansweredAppends = 1;
  const mine = anEvent();
  equal((await store.append('thing-1', [mine], 0n)).revision, 1n);
  await rejects(store.append('thing-1', [anEvent()], 0n), { code: 'revision_conflict' });
  deepEqual((await written(store, 'thing-1'))[1], mine.id);
});

describe('in an election', () => {
  test.each(['not_ready', 'busy', 'no_leader'] as const)(
    'that says %s appends wait, and succeed once it is over',
    async (electionRefusal) => {
      const { faults, store } = await faulty();
      faults.electionRefusal = electionRefusal;
      faults.electionUntilMs = Date.now() + 2_100;
      const startedMs = performance.now();
      const ends: number[] = [];
      const appendAll = async (writer: number) => {
        for (let n = 0; n < 5; n++) {
          const expected = n === 0 ? 'no_stream' : BigInt(n - 1);
          await store.append(`thing-${writer}`, [anEvent({ n })], expected, within(5_000));
          ends.push(performance.now() - startedMs);
        }
      };
      await Promise.all([0, 1, 2, 3].map(appendAll));
      ok(Math.min(...ends) >= 2_000, 'nothing was written in the election');
      for (const writer of [0, 1, 2, 3]) equal((await written(store, `thing-${writer}`)).length, 5);
    },
  );

  test('20 commands a second with a deadline of 5 s meet no error, and no gap is longer than 3 s', async () => {
    const { faults, store } = await faulty();
    const stalls = watchStalls();
    onTestFinished(() => stalls.stop());
    const startedMs = performance.now();
    const ends: number[] = [startedMs];
    const commands: Promise<void>[] = [];
    const command = async (n: number) => {
      await Array.fromAsync(store.read(`thing-${n}`, undefined, within(5_000)));
      await store.append(`thing-${n}`, [anEvent({ n })], 'no_stream', within(5_000));
      ends.push(performance.now());
    };
    for (let n = 0; n < 80; n++) {
      // The leader breaks off what is on its way, and the next one is there 2.1 s later.
      if (n === 10) {
        faults.lostResponses = 1;
        faults.electionUntilMs = Date.now() + 2_100;
      }
      commands.push(command(n));
      await delay(50);
    }
    await Promise.all(commands);
    const gaps = ends.slice(1).map((endMs, index) => endMs - (ends[index] as number));
    ok(
      Math.max(...gaps) <= 3_000 + stalls.stalledMs(),
      `the longest gap is ${Math.max(...gaps)} ms`,
    );
  });

  test('reads wait as well', async () => {
    const { faults, store } = await faulty();
    faults.electionUntilMs = Date.now() + 1_500;
    equal((await written(store, 'warm-1')).length, 1);
  });
});

test('a node that hangs for a moment is waited for', async () => {
  const { faults, store } = await faulty();
  faults.frozenUntilMs = Date.now() + 1_800;
  const event = anEvent();
  await store.append('thing-1', [event], 'no_stream', within(20_000));
  deepEqual(await written(store, 'thing-1'), [event.id]);
});

describe('a store that has begun to hang', () => {
  /** The store is known to be away after this time. */
  const awayMs = 3_000;
  /** The attempt that is on its way by then. */
  const attemptMs = 1_000;

  async function hanging() {
    const fixture = await faulty();
    fixture.faults.frozenUntilMs = Infinity;
    onTestFinished(() => void (fixture.faults.frozenUntilMs = 0));
    const stalls = watchStalls();
    onTestFinished(() => stalls.stop());
    return { ...fixture, mostMs: () => awayMs + attemptMs + stalls.stalledMs() };
  }

  test('is not waited for by reads once it is known to be away', async () => {
    const { store, mostMs } = await hanging();
    const took = await tookMs(() => rejects(Array.fromAsync(store.read('warm-1')), away));
    ok(took >= awayMs, `${took} ms: an election would have failed it`);
    ok(took <= mostMs(), `${took} ms`);
    equal(store.standing().state, 'away');
  });

  test('is not waited for by appends once reads know it to be away', async () => {
    const { store, mostMs } = await hanging();
    const reading = rejects(Array.fromAsync(store.read('warm-1')), away);
    const took = await tookMs(() =>
      rejects(store.append('thing-1', [anEvent()], 'no_stream', within(15_000)), away),
    );
    await reading;
    ok(took >= awayMs, `${took} ms: an election would have failed it`);
    ok(took <= mostMs(), `${took} ms`);
  });
});

describe('a store that is known to be away', () => {
  async function knownAway() {
    const fixture = await faulty();
    const { node, store } = fixture;
    const seen = observe(store, ['thing-']);
    seen.running.catch(() => {});
    onTestFinished(() => seen.stop());
    await seen.until(() => seen.messages.some(({ kind }) => kind === 'caught_up'));
    equal(store.standing().state, 'reachable');
    await node.stop();
    while (store.standing().state !== 'away') await delay(20);
    return fixture;
  }

  test('refuses at once, and is asked again in a while', async () => {
    const { store } = await knownAway();
    const stalls = watchStalls();
    onTestFinished(() => stalls.stop());
    const refused = Array.from({ length: 100 }, (_, n) =>
      tookMs(() => rejects(store.append(`thing-${n}`, [anEvent()], 'no_stream'), away)),
    );
    const took = (await Promise.all(refused)).toSorted((a, b) => a - b);
    // Two of them may be probes.
    ok((took[97] as number) <= 100 + stalls.stalledMs(), `${took[97]} ms`);
    await rejects(Array.fromAsync(store.read('thing-1')), away);
    ok(store.standing().reason.length > 0);
  });

  test('takes appends soon after it is back', async () => {
    const { node, store } = await knownAway();
    await node.start();
    const stalls = watchStalls();
    onTestFinished(() => stalls.stop());
    let attempts = 0;
    const took = await tookMs(async () => {
      for (let isWritten = false; !isWritten; attempts++) {
        isWritten = await store.append('thing-1', [anEvent()], 'any').then(
          () => true,
          () => false,
        );
        if (!isWritten) await delay(50);
      }
    });
    ok(took <= 2_000 + stalls.stalledMs(), `${took} ms`);
    equal(store.standing().state, 'reachable');
  });
});
