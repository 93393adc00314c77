import { deepEqual, equal, rejects } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { AttemptRoom, type Place } from './attempt-room.ts';

const never = new AbortController().signal;
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

async function full(room: AttemptRoom): Promise<Place[]> {
  return await Promise.all(Array.from({ length: 32 }, () => room.enter(never)));
}

/** The numbers of those who have come in, as they come. */
function entering(room: AttemptRoom, count: number) {
  const entered: number[] = [];
  const places = Array.from({ length: count }, async (_, number) => {
    const place = await room.enter(never);
    entered.push(number);
    return place;
  });
  return { entered, places };
}

describe('the room', () => {
  test('takes 32 fresh attempts; others come in order as places are left', async () => {
    const room = new AttemptRoom();
    const places = await full(room);
    const { entered } = entering(room, 3);
    await nextTurn();
    deepEqual(entered, []);
    places[0]?.leave();
    places[0]?.leave();
    places[5]?.leave();
    await nextTurn();
    deepEqual(entered, [0, 1]);
  });

  test('gives the places of attempts that hang to others', async () => {
    const room = new AttemptRoom();
    const places = await full(room);
    const { entered } = entering(room, 32);
    for (const place of places) place.fallSilent(() => {});
    await nextTurn();
    equal(entered.length, 32);
    for (const place of places) place.leave();
    await nextTurn();
    equal((await Promise.race([room.enter(never), nextTurn()])) === undefined, true, 'still full');
  });

  test('listens to 48 that hang; the oldest makes way', async () => {
    const room = new AttemptRoom();
    const gone: number[] = [];
    for (let number = 0; number < 60; number++) {
      const place = await room.enter(never);
      place.fallSilent(() => {
        gone.push(number);
        place.leave();
      });
    }
    deepEqual(
      gone,
      Array.from({ length: 12 }, (_, number) => number),
    );
  });

  test('forgets who gave up waiting', async () => {
    const room = new AttemptRoom();
    const places = await full(room);
    const leaving = new AbortController();
    const left = rejects(room.enter(leaving.signal), { name: 'Unanswered' });
    const { entered } = entering(room, 1);
    leaving.abort();
    await left;
    places[0]?.leave();
    await nextTurn();
    deepEqual(entered, [0]);
    await rejects(room.enter(AbortSignal.abort()), { name: 'Unanswered' });
  });
});
