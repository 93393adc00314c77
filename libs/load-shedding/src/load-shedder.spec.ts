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
  test('starts each request as it arrives while none waits, and lets the loop idle', () => {
    const loop = aLoop();
    for (const label of ['a', 'b', 'c']) equal(loop.admit(label), undefined);
    deepEqual(loop.started, ['a', 'b', 'c']);
    ok(loop.tick());
    equal(loop.tick(), false);
    loop.admit('d');
    deepEqual(loop.started.at(-1), 'd');
  });

  test('queues requests that arrive late in a long tick, in the order of arrival', () => {
    const loop = aLoop();
    loop.admit('a', 15);
    loop.admit('b');
    loop.admit('c');
    deepEqual([loop.started, loop.shedder.waiting], [['a'], 2]);
    loop.tick();
    deepEqual([loop.started, loop.shedder.waiting], [['a', 'b', 'c'], 0]);
  });

  test('queues requests that arrive after other work in the tick, and none after an idle time', () => {
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

  test('starts no request before those that wait', () => {
    const loop = aLoop();
    loop.admit('a', 15);
    for (const label of ['b', 'c']) loop.admit(label, 15);
    loop.tick();
    loop.admit('d');
    deepEqual(loop.started, ['a', 'b']);
    while (loop.tick());
    deepEqual(loop.started, ['a', 'b', 'c', 'd']);
  });

  test('starts fewer requests per tick while ticks are long, at least one, and more again while they are short', () => {
    const loop = aLoop({ waitingMax: 10_000, waitingPerNameMax: 10_000 });
    loop.admit('first', 15);
    const startedInTick = (workMs: number) => {
      const before = loop.started.length;
      loop.work(workMs);
      loop.tick();
      return loop.started.length - before;
    };
    for (let count = 0; count < 2_000; count++) loop.admit('more', 1);
    const calm = startedInTick(0);
    for (let count = 0; count < 30; count++) startedInTick(50);
    equal(startedInTick(50), 1);
    for (let count = 0; count < 120; count++) startedInTick(0);
    deepEqual([calm, startedInTick(0)], [4, 4]);
  });

  test('starts more requests with the time that passes, not with the number of ticks', () => {
    const loop = aLoop({ waitingMax: 10_000, waitingPerNameMax: 10_000 });
    const startedInTick = (workMs: number) => {
      const before = loop.started.length;
      loop.work(workMs);
      loop.tick();
      return loop.started.length - before;
    };
    loop.admit('first', 15);
    for (let count = 0; count < 5_000; count++) loop.admit('more');
    for (let tick = 0; tick < 10; tick++) startedInTick(1_000);
    for (let tick = 0; tick < 120; tick++) startedInTick(0.1);
    equal(startedInTick(0.1), 2);
    for (let tick = 0; tick < 30; tick++) startedInTick(10);
    ok(startedInTick(10) > 15);
  });

  test('refuses a request when the queue is full', () => {
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

  test('gives each name its share of the queue', () => {
    const loop = aLoop({ waitingPerNameMax: 1 });
    loop.admit('a', 15);
    equal(loop.admit('b', 0, 'loud'), undefined);
    equal(loop.admit('c', 0, 'loud'), 'share');
    equal(loop.admit('d', 0, 'quiet'), undefined);
    loop.tick();
    loop.admit('e', 15);
    equal(loop.admit('f', 0, 'loud'), undefined);
  });

  test('refuses a request behind one that has waited for two seconds', () => {
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

  test('queues a burst, but in a standing queue only one request of a name while many wait for long', () => {
    const loop = aLoop({ waitingMax: 1_000, waitingPerNameMax: 1_000 });
    // Each takes a millisecond to start: four per tick.
    const admitUpTo = (count: number) => {
      let admitted = 0;
      while (admitted < count && loop.admit('one', 1, 'loud') === undefined) admitted += 1;
      return admitted;
    };
    const untilNoneWaits = () => {
      while (loop.shedder.waiting > 0) loop.tick();
    };
    equal(admitUpTo(500), 500, 'a burst');
    while (loop.shedder.waiting > 140) loop.tick();
    loop.work(200);
    equal(loop.admit('one', 1, 'loud'), 'slow', 'the queue stands');
    equal(loop.admit('one', 1, 'quiet'), undefined);
    equal(loop.admit('one', 1, 'quiet'), 'slow');
    for (let tick = 0; tick < 5; tick += 1) loop.tick();
    equal(loop.admit('one', 1, 'loud'), undefined, 'few wait: a client may have many connections');
    untilNoneWaits();
    loop.work(40);
    const again = admitUpTo(500);
    ok(again >= 128 && again < 140, `${again} admitted: the gap was short, it is the same queue`);
    untilNoneWaits();
    loop.work(50);
    equal(admitUpTo(500), 500, 'the gap was long, it is another queue');
  });

  test('queues no more requests of one name in a standing queue than will start soon', () => {
    const loop = aLoop({ waitingMax: 10_000, waitingPerNameMax: 10_000 });
    loop.admit('first', 15);
    const fill = (name: string) => {
      let count = 0;
      while (count < 1_000 && loop.admit('one', 0, name) === undefined) count += 1;
      return count;
    };
    for (let tick = 0; tick < 200; tick += 1) {
      loop.admit('one', 0, `name ${tick}`);
      fill('loud');
      loop.tick();
      loop.work(8);
    }
    // 100 per tick of 8 ms are 12.5 per millisecond: 625 in 50 ms.
    fill('loud');
    const { waiting } = loop.shedder;
    ok(waiting > 600 && waiting <= 625, `${waiting} wait`);
    deepEqual([fill('loud'), fill('quiet')], [0, 1]);
  });

  test('queues many requests of one name in a standing queue while none waits for long', () => {
    const loop = aLoop();
    loop.admit('first', 15);
    for (let tick = 0; tick < 100; tick += 1) {
      while (loop.shedder.waiting < 20) equal(loop.admit('more'), undefined);
      loop.tick();
      loop.work(10);
    }
  });

  test('starts a bounded number of requests per tick, however cheap a start is', () => {
    const loop = aLoop({ waitingMax: 10_000, waitingPerNameMax: 10_000 });
    for (let count = 0; count < 500; count++) loop.admit('one');
    equal(loop.started.length, 100);
    loop.tick();
    equal(loop.started.length, 200);
    const startedInTickOf = (ms: number) => {
      const before = loop.started.length;
      loop.work(ms);
      loop.tick();
      return loop.started.length - before;
    };
    deepEqual([20, 1_000, 1_000, 1].map(startedInTickOf), [50, 25, 13, 13]);
  });

  test('starts a queue with the number of requests per tick that their cost before allows', () => {
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
    // 100 before the queue, then 13 and a little more per tick: 10 ms of 0.8 ms each.
    const started = loop.started.length - before;
    ok(started >= 130 && started <= 138, `${started} started`);
  });

  test('keeps ticks short when a start is cheap and the rest of a request is not', () => {
    const loop = aLoop();
    const otherMs = 6;
    const followsMs = 0.2;
    loop.admit('first', 20);
    let tickMs = 0;
    for (let tick = 0; tick < 200; tick += 1) {
      for (let count = 0; count < 100; count++) loop.admit('one', 0.007);
      const before = loop.started.length;
      loop.tick();
      tickMs = otherMs + (loop.started.length - before) * followsMs;
      loop.work(tickMs);
    }
    ok(tickMs < 12, `a tick of ${tickMs} ms`);
    ok(tickMs > 8, `hardly any request starts in a tick of ${tickMs} ms`);
  });

  test('works with the real event loop', async () => {
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
