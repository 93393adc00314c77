import { deepEqual, match } from 'node:assert/strict';
import type { StoreStanding } from '@sluice/es';
import { describe, test } from 'vitest';
import { ProjectorReadiness } from './projector-readiness.ts';
import { standingReasons } from './same-log/standing-reasons.ts';

const away: StoreStanding = { state: 'away', sinceMs: 0, reason: 'connect ECONNREFUSED' };
const refused: StoreStanding = { state: 'refused', sinceMs: 0, reason: 'no right to read $all' };

describe('readiness names', () => {
  test('a store that is away or refuses, since when and why', () => {
    const [reason = ''] = standingReasons(away);
    match(reason, /is away since 1970-01-01T00:00:00\.000Z: connect ECONNREFUSED$/);
    match(standingReasons(refused).join(), /refuses since 1970.*: no right to read \$all$/);
  });

  test('nothing while the store is there, or nobody knows', () => {
    for (const state of ['reachable', 'unknown'] as const)
      deepEqual(standingReasons({ ...away, state }), []);
    deepEqual(standingReasons(undefined), []);
  });
});

describe('a projection', () => {
  let reasons: readonly string[] = [];
  const projection = (tables = ['api_keys']) =>
    new ProjectorReadiness({ projection: 'key.api_keys', tables }, { degradation: () => reasons });
  const told = (readiness: ProjectorReadiness) => [
    readiness.unreadiness(),
    readiness.degradation(),
  ];
  const behind = ['projection key.api_keys is catching up'];

  test('that catches up is not ready', () => {
    reasons = [];
    const readiness = projection();
    deepEqual(told(readiness), [behind, []]);
    readiness.begun = true;
    deepEqual(told(readiness), [behind, []]);
    readiness.caughtUpOnce = true;
    deepEqual(told(readiness), [[], []]);
  });

  test('that the store holds up serves the rows that it has', () => {
    reasons = ['the event store is away'];
    const readiness = projection();
    deepEqual(told(readiness), [behind, []], 'it has none');
    readiness.begun = true;
    deepEqual(told(readiness), [[], behind]);
  });

  test('without tables is no reason to keep the service away, however far behind it is', () => {
    reasons = [];
    const reaction = projection([]);
    deepEqual(told(reaction), [[], behind]);
    reaction.begun = true;
    deepEqual(told(reaction), [[], behind]);
    reaction.caughtUpOnce = true;
    deepEqual(told(reaction), [[], []]);
  });

  test('that has stopped does not keep the others from being served, also after a restart', () => {
    reasons = [];
    const readiness = projection();
    readiness.failure = 'stopped at event e-1';
    deepEqual(told(readiness), [[], ['projection key.api_keys stopped at event e-1']]);
  });
});
