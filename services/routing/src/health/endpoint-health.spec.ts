import { deepEqual, equal, ok } from 'node:assert/strict';
import { beforeEach, describe, test } from 'vitest';
import { EndpointHealth } from './endpoint-health.ts';
import { RetryBudget } from './retry-budget.ts';

let nowMs = 0;
let health: EndpointHealth;
let changes: { ejected: number; probed: number };
beforeEach(() => {
  nowMs = 1_000_000;
  changes = { ejected: 0, probed: 0 };
  health = new EndpointHealth(() => nowMs, {
    ejected: () => (changes.ejected += 1),
    probed: () => (changes.probed += 1),
  });
});

const streamed = { isStreamed: true };
const isOut = () => health.condition('e')?.isOut;
function failing(times: number) {
  for (let time = 0; time < times; time += 1) {
    health.began('e');
    health.failed('e', 'provider_unavailable');
  }
}

describe('an endpoint', () => {
  test('is ejected for 30 seconds after three consecutive failures', () => {
    failing(2);
    equal(isOut(), false);
    failing(1);
    equal(isOut(), true);
    nowMs += 29_999;
    equal(isOut(), true);
    nowMs += 1;
    equal(isOut(), false);
  });

  test('gets one probe after its cool-down, and all requests after a successful probe', () => {
    failing(3);
    nowMs += 30_000;
    health.began('e');
    equal(isOut(), true);
    health.succeeded('e', 10, streamed);
    equal(isOut(), false);
    failing(2);
    equal(isOut(), false);
  });

  test('that fails its probe is ejected for twice as long, at most for five minutes', () => {
    failing(3);
    for (const seconds of [30, 60, 120, 240, 300, 300]) {
      nowMs += seconds * 1_000 - 1;
      equal(isOut(), true, `${seconds} s`);
      nowMs += 1;
      equal(isOut(), false, `${seconds} s`);
      failing(1);
    }
  });

  test('notifies the listener of each ejection and each probe only', () => {
    failing(2);
    deepEqual(changes, { ejected: 0, probed: 0 });
    failing(3);
    deepEqual(changes, { ejected: 1, probed: 0 });
    equal(health.outCount, 1);
    nowMs += 30_000;
    equal(health.outCount, 0);
    failing(1);
    deepEqual(changes, { ejected: 2, probed: 1 });
    equal(health.outCount, 1);
    nowMs += 60_000;
    health.began('e');
    health.succeeded('e', 10, streamed);
    health.began('e');
    deepEqual(changes, { ejected: 2, probed: 2 });
    equal(health.outCount, 0);
  });

  test('is ejected at once if it refuses the credential of the platform', () => {
    health.began('e');
    health.failed('e', 'provider_rejected');
    equal(isOut(), true);
  });

  test('is not ejected by rate limits or refused requests', () => {
    for (const code of [
      'provider_rate_limited',
      'invalid_request',
      'context_length_exceeded',
    ] as const)
      for (let time = 0; time < 10; time += 1) health.failed('e', code);
    equal(health.condition('e'), undefined);
  });

  test('is unstable while a fifth of at least five requests of 30 seconds failed', () => {
    for (let time = 0; time < 3; time += 1) health.succeeded('e', 10, streamed);
    failing(1);
    equal(health.condition('e')?.isUnstable, false);
    health.succeeded('e', 10, streamed);
    equal(health.condition('e')?.isUnstable, true);
    health.succeeded('e', 10, streamed);
    equal(health.condition('e')?.isUnstable, false);
    failing(1);
    equal(health.condition('e')?.isUnstable, true);
    nowMs += 31_000;
    equal(health.condition('e')?.isUnstable, false);
  });

  test('has percentiles of five minutes and its uptime', () => {
    for (let ms = 1; ms <= 100; ms += 1) health.succeeded('e', ms, streamed);
    failing(1);
    const statistics = health.statistics('e');
    ok(statistics);
    equal(statistics.latencyMs?.p50, 51);
    equal(statistics.latencyMs?.p99, 100);
    ok(Math.abs((statistics.uptime5m ?? 0) - 99.01) < 0.01);
    nowMs += 300_001;
    equal(health.statistics('e')?.latencyMs, undefined);
    equal(health.statistics('e')?.uptime5m, undefined);
    ok(health.statistics('e')?.uptime30m);
  });

  test('has a usual latency only with enough samples', () => {
    for (let time = 0; time < 19; time += 1) health.succeeded('e', 100, streamed);
    equal(health.usualLatencyMs('e', streamed), undefined);
    health.succeeded('e', 100, streamed);
    equal(health.usualLatencyMs('e', streamed), 100);
  });
});

test('retries are at most a fifth of the requests, but twenty in ten seconds are always allowed', () => {
  const budget = new RetryBudget(() => nowMs);
  const taken = (times: number) => {
    let count = 0;
    for (let time = 0; time < times; time += 1) if (budget.take()) count += 1;
    return count;
  };
  equal(taken(100), 20);
  for (let time = 0; time < 1_000; time += 1) budget.began();
  equal(taken(1_000), 180);
  nowMs += 11_000;
  equal(taken(100), 20);
});
