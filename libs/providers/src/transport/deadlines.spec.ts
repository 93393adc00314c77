import { deepEqual } from 'node:assert/strict';
import { afterEach, beforeEach, describe, test, vi } from 'vitest';
import { Deadlines } from './deadlines.ts';

// The round of the event loop is the real one: a deadline that is due waits for what was read in it.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const limits = { headersTimeoutMs: 20, firstOutputTimeoutMs: 40, idleTimeoutMs: 20 };

function running() {
  const expired: string[] = [];
  const deadlines = new Deadlines(limits, (what) => {
    expired.push(what);
    deadlines.clear();
  });
  return { deadlines, expired };
}

const roundEnds = () => new Promise((resolve) => setImmediate(resolve));

async function pass(ms: number): Promise<void> {
  vi.advanceTimersByTime(ms);
  await roundEnds();
}

describe('a deadline', () => {
  test('fires once, the first of them, and not before its time', async () => {
    const { expired } = running();
    await pass(19);
    deepEqual(expired, []);
    await pass(1);
    await pass(1_000);
    deepEqual(expired, ['The provider sent no answer in time']);
  });

  test('of the output fires however much arrives that is none', async () => {
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

  test('of silence counts from the last read', async () => {
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

  test('of quiet fires however many signs of life arrive, after five times the silence', async () => {
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

  test('of quiet counts from what was told last', async () => {
    const { deadlines, expired } = running();
    deadlines.outputBegan();
    for (let round = 0; round < 40; round++) {
      deadlines.active();
      deadlines.told();
      await pass(19);
    }
    deepEqual(expired, []);
  });

  test('is not missed by an upstream whose words this process was too busy to read', async () => {
    const { deadlines, expired } = running();
    deadlines.outputBegan();
    vi.advanceTimersByTime(60);
    // The event loop reads what has arrived after the timers of the same round.
    deadlines.active();
    await roundEnds();
    deepEqual(expired, []);
  });

  test('is over when it is cleared', async () => {
    const { deadlines, expired } = running();
    deadlines.clear();
    await pass(1_000);
    deepEqual(expired, []);
  });
});
