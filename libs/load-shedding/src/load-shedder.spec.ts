import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { LoadShedder } from './index.ts';

/** An event loop whose ticks and time the test moves. */
function aLoop({ waitingMax = 100, waitingPerNameMax = 100 } = {}) {
  let nowMs = 0;
  let idleMs = 0;
  let callbacks: (() => void)[] = [];
  const shedder = new LoadShedder({
    waitingMax,
    waitingPerNameMax,
    eventLoop: {
      nowMs: () => nowMs,
      idleMs: () => idleMs,
      atEndOfTick: (callback) => void callbacks.push(callback),
    },
  });
  const started: string[] = [];
  return {
    shedder,
    started,
    admit: (label: string, takesMs = 0, name = 'anybody') =>
      shedder.admit(name, () => {
        started.push(label);
        nowMs += takesMs;
      }),
    work: (ms: number) => {
      nowMs += ms;
    },
    idle: (ms: number) => {
      nowMs += ms;
      idleMs += ms;
    },
    /** Runs one tick. False: the loop would be idle. */
    tick(): boolean {
      const due = callbacks;
      callbacks = [];
      for (const callback of due) callback();
      return due.length > 0;
    },
  };
}

describe('the load shedder', () => {
  test('starts everything as it comes while there is no crowd, and lets the loop sleep', () => {
    const loop = aLoop();
    for (const label of ['a', 'b', 'c']) equal(loop.admit(label), undefined);
    deepEqual(loop.started, ['a', 'b', 'c']);
    ok(loop.tick());
    equal(loop.tick(), false);
    loop.admit('d');
    deepEqual(loop.started.at(-1), 'd');
  });

  test('lets wait what comes when a lap has gone on for long, in the order of arrival', () => {
    const loop = aLoop();
    loop.admit('a', 15);
    loop.admit('b');
    loop.admit('c');
    deepEqual([loop.started, loop.shedder.waiting], [['a'], 2]);
    loop.tick();
    deepEqual([loop.started, loop.shedder.waiting], [['a', 'b', 'c'], 0]);
  });

  test('lets wait what comes when the loop was busy with something else before, and not when it slept', () => {
    const loop = aLoop();
    loop.idle(60_000);
    loop.admit('a');
    loop.tick();
    loop.work(15);
    loop.idle(1);
    loop.admit('b');
    deepEqual([loop.started, loop.shedder.waiting], [['a'], 1]);
    while (loop.tick());
    loop.idle(100);
    loop.admit('c');
    deepEqual(loop.started, ['a', 'b', 'c']);
  });

  test('lets nobody pass those who wait', () => {
    const loop = aLoop();
    loop.admit('a', 15);
    for (const label of ['b', 'c']) loop.admit(label, 15);
    loop.tick();
    loop.admit('d');
    deepEqual(loop.started, ['a', 'b']);
    while (loop.tick());
    deepEqual(loop.started, ['a', 'b', 'c', 'd']);
  });

  test('starts less in a lap when laps are long, but one at least, and more again when they are short', () => {
    const loop = aLoop({ waitingMax: 10_000, waitingPerNameMax: 10_000 });
    loop.admit('first', 15);
    const startedInRound = (workMs: number) => {
      const before = loop.started.length;
      loop.work(workMs);
      loop.tick();
      return loop.started.length - before;
    };
    for (let count = 0; count < 2_000; count++) loop.admit('more', 1);
    const calm = startedInRound(0);
    for (let count = 0; count < 30; count++) startedInRound(50);
    equal(startedInRound(50), 1);
    for (let count = 0; count < 120; count++) startedInRound(0);
    deepEqual([calm, startedInRound(0)], [4, 4]);
  });

  test('starts more by the time that passes, not by the laps: what was started shows only in later ones', () => {
    const loop = aLoop({ waitingMax: 10_000, waitingPerNameMax: 10_000 });
    const startedInRound = (workMs: number) => {
      const before = loop.started.length;
      loop.work(workMs);
      loop.tick();
      return loop.started.length - before;
    };
    loop.admit('first', 15);
    for (let count = 0; count < 5_000; count++) loop.admit('more');
    for (let lap = 0; lap < 10; lap++) startedInRound(1_000);
    for (let lap = 0; lap < 120; lap++) startedInRound(0.1);
    equal(startedInRound(0.1), 2);
    for (let lap = 0; lap < 30; lap++) startedInRound(10);
    ok(startedInRound(10) > 15);
  });

  test('refuses when all places are taken, and says so', () => {
    const loop = aLoop({ waitingMax: 2 });
    loop.admit('a', 15);
    deepEqual(
      ['b', 'c', 'd'].map((label) => loop.admit(label)),
      [undefined, undefined, 'full'],
    );
    loop.tick();
    equal(loop.admit('e'), undefined);
    deepEqual(loop.started, ['a', 'b', 'c', 'e']);
  });

  test('gives one name its share of the places, and others theirs', () => {
    const loop = aLoop({ waitingPerNameMax: 1 });
    loop.admit('a', 15);
    equal(loop.admit('b', 0, 'loud'), undefined);
    equal(loop.admit('c', 0, 'loud'), 'share');
    equal(loop.admit('d', 0, 'quiet'), undefined);
    loop.tick();
    loop.admit('e', 15);
    equal(loop.admit('f', 0, 'loud'), undefined);
  });

  test('lets nobody queue behind one who has waited for two seconds', () => {
    const loop = aLoop();
    loop.admit('a', 15);
    loop.admit('b');
    loop.work(1_999);
    equal(loop.admit('c', 0, 'another'), undefined);
    loop.work(1);
    equal(loop.admit('d', 0, 'one more'), 'slow');
    loop.tick();
    equal(loop.shedder.waiting, 0);
  });

  test('lets a burst wait; of who comes into a crowd that stands, no more than one where many wait long', () => {
    const loop = aLoop({ waitingMax: 1_000, waitingPerNameMax: 1_000 });
    // Each takes a millisecond to start: four a lap.
    const enterUpTo = (count: number) => {
      let entered = 0;
      while (entered < count && loop.admit('one', 1, 'loud') === undefined) entered += 1;
      return entered;
    };
    const untilNobodyWaits = () => {
      while (loop.shedder.waiting > 0) loop.tick();
    };
    equal(enterUpTo(500), 500, 'a burst');
    while (loop.shedder.waiting > 140) loop.tick();
    loop.work(200);
    equal(loop.admit('one', 1, 'loud'), 'slow', 'the crowd stands');
    equal(loop.shedder.refuses('quiet'), undefined);
    equal(loop.admit('one', 1, 'quiet'), undefined);
    equal(loop.admit('one', 1, 'quiet'), 'slow');
    for (let lap = 0; lap < 5; lap += 1) loop.tick();
    equal(
      loop.admit('one', 1, 'loud'),
      undefined,
      'few wait: one client may have as many connections',
    );
    untilNobodyWaits();
    loop.work(40);
    const again = enterUpTo(500);
    ok(
      again >= 128 && again < 140,
      `${again} entered: the crowd was hardly gone, it is the same one`,
    );
    untilNobodyWaits();
    loop.work(50);
    equal(enterUpTo(500), 500, 'the crowd was gone: this is another one');
  });

  test('lets no more of one name wait in a crowd that stands than will have their turn soon', () => {
    const loop = aLoop({ waitingMax: 10_000, waitingPerNameMax: 10_000 });
    loop.admit('first', 15);
    const crowd = (name: string) => {
      let count = 0;
      while (count < 1_000 && loop.admit('one', 0, name) === undefined) count += 1;
      return count;
    };
    for (let lap = 0; lap < 200; lap += 1) {
      loop.admit('one', 0, `name ${lap}`);
      crowd('loud');
      loop.tick();
      loop.work(8);
    }
    // 100 in each lap of 8 ms are 12.5 in a millisecond: 625 in 50.
    crowd('loud');
    const { waiting } = loop.shedder;
    ok(waiting > 600 && waiting <= 625, `${waiting} wait`);
    deepEqual([crowd('loud'), crowd('quiet')], [0, 1]);
  });

  test('lets many of one name wait in a crowd that stands, as long as nobody waits for long', () => {
    const loop = aLoop();
    loop.admit('first', 15);
    for (let lap = 0; lap < 100; lap += 1) {
      while (loop.shedder.waiting < 20) equal(loop.admit('more'), undefined);
      loop.tick();
      loop.work(10);
    }
  });

  test('starts no more in a lap than can be done in some, however cheap starting is', () => {
    const loop = aLoop({ waitingMax: 10_000, waitingPerNameMax: 10_000 });
    for (let count = 0; count < 500; count++) loop.admit('one');
    equal(loop.started.length, 100);
    loop.tick();
    equal(loop.started.length, 200);
    const startedInLapOf = (ms: number) => {
      const before = loop.started.length;
      loop.work(ms);
      loop.tick();
      return loop.started.length - before;
    };
    deepEqual([20, 1_000, 1_000, 1].map(startedInLapOf), [50, 25, 13, 13]);
  });

  test('begins a crowd with as many in a lap as one took of the loop before, all that follows included', () => {
    const loop = aLoop({ waitingMax: 10_000, waitingPerNameMax: 10_000 });
    for (let calm = 0; calm < 150; calm += 1) {
      loop.idle(10);
      loop.admit('one');
      while (loop.tick()) loop.work(0.8);
    }
    loop.idle(10);
    const before = loop.started.length;
    for (let count = 0; count < 500; count++) loop.admit('one');
    loop.tick();
    loop.work(10);
    loop.tick();
    // 100 before it was one, then 13 and a little more each lap: 10 ms of 0.8.
    const started = loop.started.length - before;
    ok(started >= 130 && started <= 138, `${started} started`);
  });

  test('says whether it would refuse somebody, and lets nobody in by that', () => {
    const loop = aLoop({ waitingMax: 2, waitingPerNameMax: 1 });
    equal(loop.shedder.refuses('loud'), undefined);
    loop.admit('a', 15);
    equal(loop.shedder.refuses('loud'), undefined);
    loop.admit('b', 0, 'loud');
    deepEqual(
      ['loud', 'quiet'].map((name) => loop.shedder.refuses(name)),
      ['share', undefined],
    );
    loop.admit('c', 0, 'quiet');
    deepEqual([loop.shedder.refuses('other'), loop.shedder.waiting], ['full', 2]);
  });

  test('keeps laps short where starting is cheap and what follows is not', () => {
    const loop = aLoop();
    const otherMs = 6;
    const followsMs = 0.2;
    loop.admit('first', 20);
    let lapMs = 0;
    for (let lap = 0; lap < 200; lap += 1) {
      for (let count = 0; count < 100; count++) loop.admit('one', 0.007);
      const before = loop.started.length;
      loop.tick();
      lapMs = otherMs + (loop.started.length - before) * followsMs;
      loop.work(lapMs);
    }
    ok(lapMs < 12, `a lap of ${lapMs} ms`);
    ok(lapMs > 8, `hardly anything is started in a lap of ${lapMs} ms`);
  });

  test('goes round with the real event loop', async () => {
    const shedder = new LoadShedder({ waitingMax: 10, waitingPerNameMax: 10 });
    const done: number[] = [];
    const busyMs = (ms: number) => {
      const endMs = performance.now() + ms;
      while (performance.now() < endMs);
    };
    shedder.admit('a', () => busyMs(15));
    const last = Promise.withResolvers<void>();
    for (let count = 0; count < 5; count++)
      shedder.admit('a', () => {
        done.push(count);
        if (count === 4) last.resolve();
      });
    deepEqual(done, []);
    await last.promise;
    deepEqual(done, [0, 1, 2, 3, 4]);
  });
});
