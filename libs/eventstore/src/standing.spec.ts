import { deepEqual, equal, ok, throws } from 'node:assert/strict';
import { AccessDeniedError } from '@eventstore/db-client';
import { Fault } from '@sluice/errors';
import { describe, test } from 'vitest';
import { Unanswered } from './failure.ts';
import { Standing } from './standing.ts';

const startMs = 1_000_000;
const away = { code: 'event_store_unavailable', retryAfterSeconds: 1 };

function aConnection() {
  const clock = { ms: startMs };
  const standing = new Standing(() => clock.ms);
  return {
    standing,
    /** Lets time pass in which all that is asked fails. */
    fail: (asked: 'read' | 'append' | 'subscribe', forMs: number): void => {
      for (const endMs = clock.ms + forMs; ; clock.ms += 100) {
        standing.failed(asked, new Unanswered());
        if (clock.ms >= endMs) return;
      }
    },
    pass: (ms: number): void => {
      clock.ms += ms;
    },
  };
}

const noRight = () =>
  new AccessDeniedError(Object.assign(new Error('denied'), { code: 7 }) as never);

describe('the standing', () => {
  test('is unknown before anything was asked', () => {
    const { standing } = aConnection();
    deepEqual(standing.standing(), { state: 'unknown', sinceMs: startMs, reason: '' });
  });

  test('is reachable from the first answer on, whatever it says', () => {
    const { standing, pass } = aConnection();
    pass(5);
    standing.failed('append', new Fault('revision_conflict'));
    deepEqual(standing.standing(), { state: 'reachable', sinceMs: startMs + 5, reason: '' });
  });

  test.each(['read', 'append', 'subscribe'] as const)(
    'is away when each %s has failed for 3 s, and no sooner',
    (asked) => {
      const { standing, fail } = aConnection();
      standing.heard('read');
      fail(asked, 2_900);
      equal(standing.standing().state, 'reachable');
      fail(asked, 100);
      const reason = 'The event store did not answer in time';
      deepEqual(standing.standing(), { state: 'away', sinceMs: startMs, reason });
    },
  );

  test('counts a failed attempt from its begin, but not from before the last answer', () => {
    const { standing, pass } = aConnection();
    pass(500);
    standing.heard('append');
    pass(1_000);
    standing.failed('append', new Unanswered(), startMs);
    pass(2_000);
    standing.failed('append', new Unanswered());
    deepEqual(standing.standing().sinceMs, startMs + 500);
  });

  test('is refused until the right that was missing is there', () => {
    const { standing, pass } = aConnection();
    standing.heard('append');
    standing.failed('subscribe', noRight());
    pass(100);
    standing.failed('subscribe', noRight());
    standing.heard('append');
    deepEqual(standing.standing(), {
      state: 'refused',
      sinceMs: startMs,
      reason: 'The event store denies its user the right to subscribe to $all',
    });
    standing.heard('subscribe');
    equal(standing.standing().state, 'reachable');
  });
});

test.each([
  ['read', true],
  ['subscribe', true],
  ['append', false],
] as const)('calls on their way stop waiting when each %s fails: %s', (asked, isSilent) => {
  const { standing, fail } = aConnection();
  fail(asked, 2_900);
  equal(standing.isSilent(), false);
  fail(asked, 100);
  equal(standing.isSilent(), isSilent);
  standing.heard('read');
  equal(standing.isSilent(), false);
});

describe('while the store is known to be away', () => {
  test('calls are refused at once, save for a probe in a while', () => {
    const { standing, fail, pass } = aConnection();
    fail('subscribe', 3_000);
    equal(standing.admitRead(), 'probe');
    throws(() => standing.admitRead(), away);
    throws(() => standing.admitAppend(), away);
    pass(499);
    throws(() => standing.admitRead(), away);
    pass(1);
    equal(standing.admitRead(), 'probe');
  });

  test('reads go on when writes alone fail', () => {
    const { standing, fail } = aConnection();
    fail('append', 3_000);
    equal(standing.admitRead(), 'try');
    standing.heard('read');
    equal(standing.admitAppend(), 'probe');
    throws(() => standing.admitAppend(), away);
  });

  test('an answer ends it, for writes too when reads had failed', () => {
    const { standing, fail } = aConnection();
    fail('append', 3_000);
    fail('read', 3_000);
    standing.heard('read');
    equal(standing.admitRead(), 'try');
    equal(standing.admitAppend(), 'try');
    equal(standing.standing().state, 'reachable');
  });

  test('failures that nothing has followed for a while are forgotten', () => {
    const { standing, fail, pass } = aConnection();
    fail('append', 3_000);
    pass(10_001);
    equal(standing.standing().state, 'unknown');
    equal(standing.admitAppend(), 'try');
    standing.failed('append', new Unanswered());
    equal(standing.admitAppend(), 'try');
  });
});

test('a connection without a sign of life is left, once in a while', () => {
  const { standing, pass } = aConnection();
  pass(1_499);
  equal(standing.isConnectionLost(), false);
  pass(1);
  equal(standing.isConnectionLost(), true);
  equal(standing.isConnectionLost(), false);
  pass(1_500);
  standing.heard('read');
  equal(standing.isConnectionLost(), false);
});

test('the longer the silence, the more rarely connections are left', () => {
  const { standing, pass } = aConnection();
  const leavings = (seconds: number) => {
    let count = 0;
    for (let tick = 0; tick < seconds * 10; tick++) {
      pass(100);
      if (standing.isConnectionLost()) count++;
    }
    return count;
  };
  const [minute, tenMinutes, hour] = [leavings(60), leavings(540), leavings(3_000)];
  ok(minute >= 10 && minute <= 30, `${minute} in the first minute`);
  ok(tenMinutes <= 30, `${tenMinutes} in the next nine`);
  ok(hour <= 51, `${hour} in the rest of the hour`);
  standing.heard('read');
  equal(leavings(3), 2);
});
