import { deepEqual } from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, test } from 'vitest';
import { Deadlines } from './deadlines.ts';

const limits = { headersTimeoutMs: 20, firstOutputTimeoutMs: 40, idleTimeoutMs: 20 };

/** Longer than any of the limits. */
function holdUpTheProcess(): void {
  const untilMs = performance.now() + 60;
  while (performance.now() < untilMs);
}

function running(changes: Partial<typeof limits> = {}) {
  const expired: string[] = [];
  const deadlines = new Deadlines({ ...limits, ...changes }, (what) => {
    expired.push(what);
    deadlines.clear();
  });
  return { deadlines, expired };
}

describe('a deadline', () => {
  test('fires once, the first of them', async () => {
    const { expired } = running();
    await delay(80);
    deepEqual(expired, ['The provider sent no answer in time']);
  });

  test('of the output fires however much arrives that is none', async () => {
    const { deadlines, expired } = running();
    deadlines.headersArrived();
    for (let round = 0; round < 20; round++) {
      deadlines.active();
      await delay(4);
    }
    deepEqual(expired, ['The provider sent no output in time']);
  });

  test('of silence counts from the last read', async () => {
    const { deadlines, expired } = running({ idleTimeoutMs: 100 });
    deadlines.outputBegan();
    for (let round = 0; round < 20; round++) {
      deadlines.active();
      await delay(10);
    }
    deepEqual(expired, []);
    await delay(200);
    deepEqual(expired, ['The provider fell silent']);
  });

  test('of quiet fires however many signs of life arrive, after five times the silence', async () => {
    const { deadlines, expired } = running();
    deadlines.outputBegan();
    const startedMs = performance.now();
    while (expired.length === 0 && performance.now() - startedMs < 2_000) {
      deadlines.active();
      await delay(4);
    }
    deepEqual(expired, ['The provider says nothing any more']);
  });

  test('of quiet counts from what was told last', async () => {
    const { deadlines, expired } = running();
    deadlines.outputBegan();
    for (let round = 0; round < 40; round++) {
      deadlines.active();
      deadlines.told();
      await delay(4);
    }
    deepEqual(expired, []);
    deadlines.clear();
  });

  test('is not missed by an upstream whose words this process was too busy to read', async () => {
    const { deadlines, expired } = running();
    deadlines.outputBegan();
    // What has arrived is read after the timers of the same round.
    holdUpTheProcess();
    setImmediate(() => deadlines.active());
    await delay(5);
    deepEqual(expired, []);
    deadlines.clear();
  });

  test('is over when it is cleared', async () => {
    const { deadlines, expired } = running();
    deadlines.clear();
    await delay(80);
    deepEqual(expired, []);
  });
});
