import { deepEqual } from 'node:assert/strict';
import { afterEach, beforeEach, describe, test, vi } from 'vitest';
import { Deadlines } from './deadlines.ts';

// The event loop is the real one. A due deadline waits for the reads of the same turn.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const limits = { headersTimeoutMs: 20, firstOutputTimeoutMs: 40, idleTimeoutMs: 20 };

function running() {
  const expired: string[] = [];
  const deadlines = new Deadlines(limits, {
    onExpired(what) {
      expired.push(what);
      deadlines.clear();
    },
  });
  return { deadlines, expired };
}

const roundEnds = () => new Promise((resolve) => setImmediate(resolve));

async function pass(ms: number): Promise<void> {
  vi.advanceTimersByTime(ms);
  await roundEnds();
}

describe('a deadline', () => {
  test('fires once, the first one, and not early', async () => {
    const { expired } = running();
    await pass(19);
    deepEqual(expired, []);
    await pass(1);
    await pass(1_000);
    deepEqual(expired, ['The provider sent no answer in time']);
  });

  test('for the first output fires even if other bytes arrive', async () => {
    const { deadlines, expired } = running();
    deadlines.headersArrived();
    for (let ms = 0; ms < 39; ms++) {
      deadlines.active();
      await pass(1);
    }
    deepEqual(expired, []);
    await pass(1);
    deepEqual(expired, ['The provider sent no output in time']);
  });

  test('for silence counts from the last read', async () => {
    const { deadlines, expired } = running();
    deadlines.outputBegan();
    for (let round = 0; round < 4; round++) {
      deadlines.active();
      await pass(19);
    }
    deepEqual(expired, []);
    await pass(1);
    deepEqual(expired, ['The provider fell silent']);
  });

  test('for keep-alives without output fires after five times the idle limit', async () => {
    const { deadlines, expired } = running();
    deadlines.outputBegan();
    for (let ms = 0; ms < 99; ms++) {
      deadlines.active();
      await pass(1);
    }
    deepEqual(expired, []);
    deadlines.active();
    await pass(1);
    deepEqual(expired, ['The provider says nothing any more']);
  });

  test('for keep-alives counts from the last output', async () => {
    const { deadlines, expired } = running();
    deadlines.outputBegan();
    for (let round = 0; round < 40; round++) {
      deadlines.active();
      deadlines.progressed();
      await pass(19);
    }
    deepEqual(expired, []);
  });

  test('does not fire if bytes arrived while the process was blocked', async () => {
    const { deadlines, expired } = running();
    deadlines.outputBegan();
    vi.advanceTimersByTime(60);
    // In each turn the event loop runs the timers before it reads the sockets.
    deadlines.active();
    await roundEnds();
    deepEqual(expired, []);
  });

  test('does not fire after it is cleared', async () => {
    const { deadlines, expired } = running();
    deadlines.clear();
    await pass(1_000);
    deepEqual(expired, []);
  });
});
