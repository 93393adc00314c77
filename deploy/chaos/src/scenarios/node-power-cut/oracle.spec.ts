import { deepEqual, equal, match, ok } from 'node:assert/strict';
import type { RecordedEvent } from '@sluice/es';
import { describe, test } from 'vitest';
import { seededRandom } from '@sluice/testing/random';
import { type Append, eventMaker, type Oracle, oracle as newOracle, verdict } from './oracle.ts';

const makeEvents = eventMaker(seededRandom(1));
const stream = 'powerCut-1';
const positionOf = (index: number) => ({ commit: BigInt(index), prepare: BigInt(index) });

/** The log in which these appends lie one after the other. */
function logOf(...appends: readonly Append[]): readonly RecordedEvent[] {
  return appends
    .flatMap(({ events }) => events)
    .map((event, index) => ({
      ...event,
      stream,
      revision: BigInt(index),
      position: positionOf(index + 1),
      recordedAt: new Date('2026-01-02T03:04:05.678Z'),
    }));
}

function ask(oracle: Oracle, count: number): Append {
  let events = makeEvents(100);
  while (events.length !== count) events = makeEvents(100);
  return oracle.asked(stream, events);
}

/** Two appends of two events, the first one acknowledged. */
function scene() {
  const oracle = newOracle();
  const first = ask(oracle, 2);
  oracle.acknowledged(first, { revision: 1n, position: positionOf(2) });
  return { oracle, first, second: ask(oracle, 2) };
}

function finding(pattern: RegExp, appends: readonly Append[], log: readonly RecordedEvent[]) {
  const { findings } = verdict(appends, log);
  equal(findings.length, 1, findings.join('\n'));
  match(findings[0] ?? '', pattern);
}

describe('the log after a power cut', () => {
  test('holds acknowledged appends, and other appends whole or not at all', () => {
    const { oracle, first, second } = scene();
    deepEqual(verdict(oracle.appends, logOf(first)), {
      lost: 0,
      keptUnacknowledged: 0,
      findings: [],
    });
    equal(verdict(oracle.appends, logOf(first, second)).keptUnacknowledged, 1);
    deepEqual(verdict(oracle.appends, logOf(first, second)).findings, []);
  });

  test('has lost an append that was acknowledged, in part or in whole', () => {
    const { oracle, first } = scene();
    equal(verdict(oracle.appends, []).lost, 1);
    finding(/was acknowledged and has lost events/, oracle.appends, logOf(first).slice(0, 1));
  });

  test('is wrong when it holds a part of an append, or an event that was not requested', () => {
    const { oracle, first, second } = scene();
    finding(/is there in part/, oracle.appends, logOf(first, second).slice(0, 3));
    const stranger = ask(newOracle(), 1);
    finding(/@2 was never asked for/, oracle.appends, logOf(first, stranger));
  });

  test('is wrong when something lies elsewhere than was answered, or out of order', () => {
    const { oracle, first, second } = scene();
    const moved = logOf(first).map((event) => ({ ...event, position: positionOf(9) }));
    finding(/lies elsewhere than was answered/, oracle.appends, moved);
    const turned = [...logOf(second), ...logOf(first)];
    const { findings } = verdict(oracle.appends, turned);
    ok(findings.some((one) => one.includes('lies before what was acknowledged earlier')));
  });

  test('is wrong when a content is another one', () => {
    const { oracle, first } = scene();
    const [event, ...others] = logOf(first);
    ok(event);
    finding(/has another content/, oracle.appends, [{ ...event, data: {} }, ...others]);
  });
});
