import { equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { Turn } from './turn.ts';

function eventsUntilOver(turn: Turn): number {
  let events = 1;
  while (!turn.isOver()) events++;
  return events;
}

describe('a turn', () => {
  test('is over after so many events, however fast they are', async () => {
    const turn = new Turn(() => 0);
    equal(eventsUntilOver(turn), 2_048);
    await turn.pause();
    equal(eventsUntilOver(turn), 2_048);
  });

  test('is over after 5 ms, however few events that were', async () => {
    let nowMs = 0;
    const turn = new Turn(() => (nowMs += 2));
    equal(eventsUntilOver(turn), 3);
    await turn.pause();
    equal(eventsUntilOver(turn), 3);
  });
});
