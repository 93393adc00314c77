import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { type Turn, Turns } from './turns.ts';

interface Job extends Turn {
  readonly name: string;
}

const job = (account: string, name = account): Job => ({ account, name, isSlow: false });

function turnsOf(options: Partial<ConstructorParameters<typeof Turns>[0]> = {}) {
  return new Turns<Job>({
    places: 2,
    slowPlaces: 2,
    waitingMax: 100,
    waitingPerAccountMax: 50,
    ...options,
  });
}

function started(turns: Turns<Job>): readonly Job[] {
  const all: Job[] = [];
  for (let next = turns.next(); next; next = turns.next()) all.push(next);
  return all;
}

const namesOf = (jobs: readonly Job[]) => jobs.map(({ name }) => name);

describe('turns', () => {
  test('leave a place to other accounts, however many jobs one has', () => {
    const turns = turnsOf();
    for (let count = 0; count < 40; count++) turns.add(job('a'));
    deepEqual(namesOf(started(turns)), ['a']);
    turns.add(job('b'));
    deepEqual(namesOf(started(turns)), ['b']);
  });

  test('go to the account whose jobs took the least time', () => {
    const turns = turnsOf();
    for (const name of ['a1', 'a2', 'a3']) turns.add(job('a', name));
    turns.add(job('b', 'b1'));
    const [first, second] = started(turns);
    for (const name of ['b2', 'b3']) turns.add(job('b', name));
    if (!first || !second) throw new Error('two jobs start');
    turns.end(first, 1_000);
    turns.end(second, 10);
    deepEqual(namesOf(started(turns)), ['b2', 'a2']);
  });

  test('give an account that comes anew no claim for the time before', () => {
    const turns = turnsOf({ places: 1 });
    for (const name of ['a1', 'a2', 'a3']) turns.add(job('a', name));
    const [first] = started(turns);
    if (!first) throw new Error('one job starts');
    turns.end(first, 1_000);
    const [second] = started(turns);
    turns.add(job('b', 'b1'));
    turns.add(job('b', 'b2'));
    if (!second) throw new Error('one job starts');
    turns.end(second, 1);
    const [third] = started(turns);
    equal(third?.name, 'b1');
    turns.end(third, 5);
    deepEqual(namesOf(started(turns)), ['a3']);
  });

  test('free the place of a slow job', () => {
    const turns = turnsOf({ places: 2, slowPlaces: 2 });
    for (const account of ['a', 'b', 'c']) turns.add(job(account));
    const [first, second] = started(turns);
    if (!first || !second) throw new Error('two jobs start');
    equal(turns.slow(first), true);
    deepEqual(namesOf(started(turns)), ['c']);
  });

  test('give an account one slow place less than there are', () => {
    const turns = turnsOf({ places: 3, slowPlaces: 2 });
    for (const name of ['a1', 'a2']) turns.add(job('a', name));
    const [first, second] = started(turns);
    if (!first || !second) throw new Error('two jobs start');
    equal(turns.slow(first), true);
    equal(turns.slow(second), false);
    turns.end(first, 1);
    equal(turns.slow(second), true);
  });

  test('say whether another account wants the place of a job', () => {
    const turns = turnsOf({ places: 1 });
    turns.add(job('a', 'a1'));
    const [first] = started(turns);
    if (!first) throw new Error('one job starts');
    turns.add(job('a', 'a2'));
    equal(turns.isWanted(first), false);
    turns.add(job('b'));
    equal(turns.isWanted(first), true);
  });

  test('begin an interrupted job again in a slow place, before the others of its account', () => {
    const turns = turnsOf({ places: 1, slowPlaces: 1 });
    for (const account of ['a', 'b']) turns.add(job(account));
    const [first] = started(turns);
    if (!first) throw new Error('one job starts');
    equal(turns.slow(first), true);
    const [second] = started(turns);
    if (!second) throw new Error('one job starts');
    turns.end(second, 250);
    turns.putBack(second);
    turns.add(job('b', 'b2'));
    deepEqual(namesOf(started(turns)), ['b2']);
    turns.end(first, 9_000);
    deepEqual(namesOf(started(turns)), ['b']);
  });

  test('refuse a job of an account that has too many', () => {
    const turns = turnsOf({ waitingPerAccountMax: 1 });
    equal(turns.add(job('a')), undefined);
    equal(turns.add(job('a', 'second'))?.name, 'second');
    equal(turns.add(job('b')), undefined);
  });

  test('displace the last job of the account with the most', () => {
    const turns = turnsOf({ waitingMax: 3 });
    for (const name of ['a1', 'a2', 'a3']) turns.add(job('a', name));
    equal(turns.add(job('b'))?.name, 'a3');
    deepEqual(namesOf(turns.clear()), ['a1', 'a2', 'b']);
  });

  test('forget a job that has left', () => {
    const turns = turnsOf();
    const left = job('a');
    turns.add(left);
    turns.remove(left);
    turns.remove(left);
    deepEqual(started(turns), []);
  });
});
