import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { LoadShedder, type Overload } from './index.ts';

/** An event loop whose ticks and time the test moves. */
function aLoop({ waitingMax = 10_000, waitingPerNameMax = 10_000 } = {}) {
  let nowMs = 0;
  let callbacks: (() => void)[] = [];
  let timers: { readonly atMs: number; readonly callback: () => void }[] = [];
  let startsPerMsMax: number | undefined;
  const shedder = new LoadShedder({
    waitingMax,
    waitingPerNameMax,
    startsPerMsMax: () => startsPerMsMax,
    eventLoop: {
      nowMs: () => nowMs,
      atEndOfTick: (callback) => void callbacks.push(callback),
      after: (ms, callback) => void timers.push({ atMs: nowMs + ms, callback }),
    },
  });
  const started: string[] = [];
  const refused: [label: string, overload: Overload][] = [];
  let refusalMs = 0;
  const refuse = (label: string, overload: Overload) => {
    nowMs += refusalMs;
    refused.push([label, overload]);
  };
  const loop = {
    shedder,
    started,
    refused,
    admit: (label: string, name = 'anybody') =>
      shedder.admit(name, (overload) => {
        if (overload === undefined) started.push(label);
        else refuse(label, overload);
      }),
    admitMany(count: number, name?: string) {
      for (let each = 0; each < count; each += 1) loop.admit('one', name);
    },
    work: (ms: number) => {
      nowMs += ms;
    },
    refusalsTake: (ms: number) => {
      refusalMs = ms;
    },
    /** Runs one tick, with so much work before its end. Returns how many requests it started. */
    tick(workMs = 0): number {
      const before = started.length;
      nowMs += workMs;
      const due = callbacks;
      callbacks = [];
      for (const callback of due) callback();
      return started.length - before;
    },
    get isIdle() {
      return callbacks.length === 0;
    },
    bound(perMs: number | undefined) {
      startsPerMsMax = perMs;
    },
    /** Runs so many ticks of a millisecond, in which timers that are due call back. */
    run(ms: number): number {
      let count = 0;
      for (let each = 0; each < ms; each += 1) {
        const before = started.length;
        nowMs += 1;
        const due = timers.filter(({ atMs }) => atMs <= nowMs);
        timers = timers.filter(({ atMs }) => atMs > nowMs);
        for (const { callback } of due) callback();
        count += started.length - before + loop.tick();
      }
      return count;
    },
    untilNoneWaits(workMs: number) {
      while (shedder.waiting > 0) loop.tick(workMs);
    },
  };
  return loop;
}

/** In one tick, without any measurement before. */
const startsMost = 100;

describe('the load shedder', () => {
  test('starts each request as it arrives while few come, and lets the loop idle', () => {
    const loop = aLoop();
    for (const label of ['a', 'b', 'c']) loop.admit(label);
    deepEqual(loop.started, ['a', 'b', 'c']);
    loop.tick();
    ok(loop.isIdle);
    loop.admit('d');
    deepEqual(loop.started.at(-1), 'd');
  });

  test('queues what one tick cannot start, and starts it in the order of arrival', () => {
    const loop = aLoop();
    loop.admitMany(startsMost);
    for (const label of ['a', 'b']) loop.admit(label);
    deepEqual([loop.started.length, loop.shedder.waiting], [startsMost, 2]);
    loop.tick();
    loop.admit('c');
    deepEqual(loop.started.slice(startsMost), ['a', 'b', 'c']);
  });

  test('starts no request before those that wait', () => {
    const loop = aLoop();
    loop.admitMany(2 * startsMost + 1);
    loop.tick(10);
    loop.admit('last');
    deepEqual([loop.shedder.waiting, loop.started.includes('last')], [2, false]);
    loop.untilNoneWaits(10);
    equal(loop.started.at(-1), 'last');
  });

  test('starts fewer requests per tick while ticks are long, at least one, and more again with the time', () => {
    const loop = aLoop();
    loop.admitMany(5_000);
    loop.tick(6);
    deepEqual(
      [20, 1_000, 1_000].map((ms) => loop.tick(ms)),
      [50, 25, 13],
    );
    for (let tick = 0; tick < 20; tick += 1) loop.tick(50);
    equal(loop.tick(50), 1);
    for (let tick = 0; tick < 120; tick += 1) loop.tick(0.1);
    equal(loop.tick(0.1), 2, 'time counts, not ticks');
    for (let tick = 0; tick < 60; tick += 1) loop.tick(6);
    equal(loop.tick(6), startsMost);
  });

  test('keeps ticks near six milliseconds when a start is cheap and the rest of a request is not', () => {
    const loop = aLoop();
    const otherMs = 3;
    const followsMs = 0.2;
    let tickMs = 20;
    loop.admitMany(3 * startsMost);
    for (let tick = 0; tick < 200; tick += 1) {
      const before = loop.started.length;
      loop.admitMany(30);
      loop.tick(tickMs);
      tickMs = otherMs + (loop.started.length - before) * followsMs;
    }
    ok(tickMs < 8, `a tick of ${tickMs} ms`);
    ok(tickMs > 5, `hardly any request starts in a tick of ${tickMs} ms`);
  });

  test('serves all of many clients that each send after each answer, however slow it is', () => {
    const loop = aLoop({ waitingMax: 2_000, waitingPerNameMax: 1_000 });
    loop.admitMany(1_000);
    const coldMs = 5;
    let answered = startsMost;
    for (let tick = 0; tick < 500; tick += 1) {
      loop.admitMany(answered);
      answered = loop.tick(answered * coldMs);
    }
    ok(answered > 0);
    equal(loop.refused.length, 0);
  });

  test('refuses a request when the queue is full, and one of a caller that has its share of the queue', () => {
    const loop = aLoop({ waitingMax: 3, waitingPerNameMax: 2 });
    loop.admitMany(startsMost);
    loop.admit('a', 'loud');
    loop.admit('b', 'loud');
    loop.admit('c', 'loud');
    loop.admit('d', 'quiet');
    loop.admit('e', 'another');
    equal(loop.refused.length, 0, 'a refused client could send the next request within this tick');
    loop.tick();
    deepEqual(loop.refused, [
      ['c', 'share'],
      ['e', 'full'],
    ]);
    deepEqual(loop.started.slice(startsMost), ['a', 'b', 'd']);
  });

  test('refuses a request that has waited for longer than its deadline', () => {
    const loop = aLoop();
    loop.admitMany(startsMost);
    loop.admit('a');
    loop.work(10_001);
    loop.admit('b');
    loop.tick();
    deepEqual([loop.started.at(-1), loop.refused], ['b', [['a', 'slow']]]);
  });

  /** A loop that starts a request a millisecond, with callers whose share is full. */
  function anOverload() {
    const loop = aLoop({ waitingMax: 2_000, waitingPerNameMax: 1_000 });
    loop.admitMany(1_000, 'loud');
    let tickMs = 100;
    for (let tick = 0; tick < 300; tick += 1) {
      loop.admitMany(1_000 - loop.shedder.waiting, 'loud');
      tickMs = loop.tick(tickMs);
    }
    equal(loop.refused.length, 0);
    return loop;
  }

  test('keeps the queue short after a refusal, and lets a caller in that has no request in it', () => {
    const loop = anOverload();
    loop.admit('quiet', 'quiet');
    loop.admitMany(1_010 - loop.shedder.waiting, 'loud');
    const { waiting } = loop.shedder;
    // Fifty milliseconds of about one start a millisecond, and the quiet caller behind.
    ok(waiting >= 40 && waiting <= 75, `${waiting} wait`);
    loop.admit('more', 'loud');
    loop.admit('new', 'new');
    equal(loop.shedder.waiting, waiting + 1);
    for (let name = 0; name < 200; name += 1) loop.admit('one', String(name));
    ok(loop.shedder.waiting <= 130, 'all others wait for no longer than twice that');
    for (let tick = 0; loop.shedder.waiting > 0; tick += 1) {
      ok(tick < 30);
      loop.tick(6);
    }
    ok(loop.started.includes('quiet') && loop.started.includes('new'));
    deepEqual(
      loop.refused.filter(([label]) => label !== 'one'),
      [['more', 'slow']],
    );
  });

  test('starts as many in an overload, whatever refusals cost', () => {
    const refusalMs = 0.1;
    const startedIn = (refusedPerTick: number) => {
      const loop = anOverload();
      loop.admitMany(1_010 - loop.shedder.waiting, 'loud');
      loop.refusalsTake(refusalMs);
      const before = loop.started.length;
      for (let tick = 0; tick < 100; tick += 1) {
        loop.admitMany(10 + refusedPerTick, 'loud');
        // To read them takes as long again.
        loop.tick(3 + refusalMs * refusedPerTick);
      }
      return loop.started.length - before;
    };
    const [few, many] = [startedIn(0), startedIn(100)];
    ok(many > few * 0.8, `${many} started, and ${few} with few refusals`);
  });

  test('refuses the end of the queue of an overload when starts become slow', () => {
    const loop = anOverload();
    loop.admitMany(1_010 - loop.shedder.waiting, 'loud');
    loop.bound(0.1);
    loop.admit('last', 'another');
    loop.run(60);
    ok(loop.shedder.waiting <= 15, `${loop.shedder.waiting} wait`);
    ok(loop.refused.some(([label]) => label === 'last'));
  });

  test('queues as many as before once nothing was refused for a second', () => {
    const loop = anOverload();
    loop.admitMany(1_010 - loop.shedder.waiting, 'loud');
    while (loop.shedder.waiting > 0) loop.tick(6);
    const before = loop.refused.length;
    loop.work(900);
    loop.tick();
    loop.admitMany(startsMost + 500, 'loud');
    loop.tick();
    ok(loop.refused.length > before, 'too soon');
    while (loop.shedder.waiting > 0) loop.tick(6);
    loop.work(1_000);
    loop.tick();
    const after = loop.refused.length;
    loop.admitMany(1_000, 'loud');
    loop.tick();
    equal(loop.refused.length, after);
  });

  test('lets requests wait for a bound of the rate, in an idle loop, and starts all without it', () => {
    const loop = aLoop();
    loop.bound(2);
    loop.admitMany(1_000);
    loop.run(20);
    const started = loop.run(100);
    ok(Math.abs(started - 200) < 5, `${started} in 100 ms`);
    loop.bound(0.01);
    ok(loop.run(1_000) <= 12);
    ok(loop.isIdle);
    loop.admit('last');
    loop.bound(undefined);
    loop.run(200);
    deepEqual([loop.shedder.waiting, loop.refused.length, loop.started.at(-1)], [0, 0, 'last']);
  });

  test('keeps the queue as short after a refusal as the bound of the rate wants it', () => {
    const loop = aLoop({ waitingMax: 500, waitingPerNameMax: 500 });
    loop.bound(1);
    loop.admitMany(600);
    ok(loop.shedder.waiting > 0 && loop.shedder.waiting <= 51, `${loop.shedder.waiting} wait`);
    loop.admit('more');
    loop.run(1);
    deepEqual(loop.refused.at(-1), ['more', 'slow']);
  });

  test('works with the real event loop', async () => {
    const shedder = new LoadShedder({ waitingMax: 100, waitingPerNameMax: 100 });
    const done: number[] = [];
    const last = Promise.withResolvers<void>();
    const count = startsMost + 20;
    for (let each = 0; each < count; each += 1)
      shedder.admit('a', () => {
        done.push(each);
        if (each === count - 1) last.resolve();
      });
    // A busy machine takes so long for them that fewer start at once.
    ok(done.length > 0 && done.length <= startsMost, `${done.length} started at once`);
    await last.promise;
    deepEqual(done, [...Array(count).keys()]);
  });
});
