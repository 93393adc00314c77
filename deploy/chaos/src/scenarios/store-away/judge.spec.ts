import { deepEqual, match } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { judge, type Outcome } from './judge.ts';
import { emptyTally, type Tally } from '../../load/probes.ts';

const tally = (more: Partial<Tally> = {}): Tally => ({ ...emptyTally(), sent: 10, ...more });
const failed = tally({ failed: 2, failures: new Map([['GET /v1/keys: 503 unavailable', 2]]) });
const before = { inference: tally(), questions: tally(), writes: tally() };
const well: Outcome = {
  how: 'frozen',
  ...before,
  before,
  firstWrites: tally({ slowestMs: 3_300 }),
  recoveryMs: 900,
  overspendNanoUsd: 0n,
  capLooks: 20,
};

describe('an outage of the event store', () => {
  test('is well when the first commands waited for an election and all later ones did not', () => {
    deepEqual(judge(well), []);
  });

  test('allows for a machine that is late itself, up to a second', () => {
    const late = { ...well, writes: tally({ slowestMs: 1_900 }), recoveryMs: 2_900 };
    deepEqual(judge({ ...late, questions: tally({ slowestMs: 900 }) }), []);
    deepEqual(judge({ ...late, questions: tally({ slowestMs: 800 }) }).length, 2);
    const slow = { ...well, questions: tally({ slowestMs: 9_000 }) };
    deepEqual(judge({ ...slow, writes: tally({ slowestMs: 2_001 }) }).length, 1);
  });

  test.each<[string, Partial<Outcome>, RegExp]>([
    [
      'a failed request',
      { inference: failed },
      /^frozen: GET \/v1\/keys: 503 unavailable \(2 times\)$/,
    ],
    ['a failed question', { questions: failed }, /2 times/],
    ['a command that was not refused', { writes: failed }, /2 times/],
    ['a first command that was not refused', { firstWrites: failed }, /2 times/],
    ['a failure before it', { before: { ...before, questions: failed } }, /^before: /],
    ['a first command after 5 s', { firstWrites: tally({ slowestMs: 5_001 }) }, /5001 ms/],
    ['a later command after 1 s', { writes: tally({ slowestMs: 1_001 }) }, /1001 ms/],
    ['a recovery of more than 2 s', { recoveryMs: 2_001 }, /2001 ms/],
    ['a limit that was exceeded', { overspendNanoUsd: 1n }, /overspent by 1/],
    ['limits that were not looked at', { capLooks: 0 }, /shows nothing/],
  ])('is not well with %s', (_what, more, said) => {
    const findings = judge({ ...well, ...more });
    deepEqual(findings.length, 1);
    match(findings.join(), said);
  });
});

describe('an outage of PostgreSQL', () => {
  const postgres: Outcome = { ...well, how: 'postgres-killed' };

  test('has no bound for answers that are 503', () => {
    const slow = tally({ slowestMs: 5_500 });
    deepEqual(judge({ ...postgres, firstWrites: slow, writes: slow, recoveryMs: 9_000 }), []);
  });

  test.each<[string, Partial<Outcome>]>([
    ['a failed request', { inference: failed }],
    ['a limit that was exceeded', { overspendNanoUsd: 1n }],
  ])('is not well with %s', (_what, more) => {
    deepEqual(judge({ ...postgres, ...more }).length, 1);
  });
});
