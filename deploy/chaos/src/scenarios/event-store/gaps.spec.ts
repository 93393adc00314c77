import { ok } from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, onTestFinished, test } from 'vitest';
import { watchGaps } from './gaps.ts';

const gapMs = 300;
const shortMs = 150;

function watched() {
  let count = 0;
  const gaps = watchGaps(() => count);
  onTestFinished(() => gaps[Symbol.asyncDispose]());
  return { gaps, acknowledge: () => void count++ };
}

describe('the longest gap', () => {
  test('is the time between two acknowledgements', async () => {
    const { gaps, acknowledge } = watched();
    acknowledge();
    await delay(gapMs);
    acknowledge();
    await delay(20);
    ok(gaps.longestMs() >= gapMs - 20, `${gaps.longestMs()} ms`);
  });

  test('grows while nothing is acknowledged any more', async () => {
    const { gaps } = watched();
    await delay(gapMs);
    ok(gaps.longestMs() >= gapMs - 20, `${gaps.longestMs()} ms`);
  });

  test('leaves out the time in which the store is away, and counts what follows', async () => {
    const { gaps, acknowledge } = watched();
    const startedMs = performance.now();
    gaps.awayBegins();
    await delay(gapMs);
    gaps.awayEnds();
    await delay(shortMs);
    acknowledge();
    await delay(20);
    ok(gaps.longestMs() >= shortMs - 20, `${gaps.longestMs()} ms`);
    ok(gaps.longestMs() <= performance.now() - startedMs - gapMs + 20, `${gaps.longestMs()} ms`);
  });
});
