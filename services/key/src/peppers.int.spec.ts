import { deepEqual, equal, match, rejects } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Secret } from '@sluice/boot';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import { assertPeppers, examinePepper } from './commands/check-peppers.ts';
import type { Peppers } from './commands/key-digest.ts';
import { keyWorld, type KeyWorld } from './testing/key-world.ts';

const right = new Secret('a pepper of at least 32 characters');
const other = new Secret('another pepper of 32 characters!');
const of = (currentVersion: number, ...peppers: readonly Secret[]): Peppers => ({
  currentVersion,
  byVersion: new Map(peppers.map((pepper, index) => [currentVersion - index, pepper])),
});
const wrongPepper = { name: 'WrongPepper' };

let world: KeyWorld;
beforeEach(async () => {
  world = await keyWorld({ postgresUrl: inject('postgresUrl') });
});
afterEach(() => world.stop());
const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex');
const isKnown = async (secret: string) => {
  const { key } = await world.client.resolveKey({ hash: hashOf(secret), secret });
  return key !== undefined;
};

describe('a key service with another pepper than its database', () => {
  test('refuses to start, with a sentence, whether or not there are keys yet', async () => {
    await rejects(world.restart({ peppers: of(1, other) }), (error: Error) => {
      match(error.message, /under another pepper of version 1 .*SLUICE_KEY_PEPPER/);
      equal(error.message.includes(other.reveal()), false);
      return error.name === wrongPepper.name;
    });
    await world.restart();
    const { secret } = await world.issue();
    await rejects(world.restart({ peppers: of(1, other) }), wrongPepper);
    await world.restart();
    equal(await isKnown(secret), true);
  });

  test('takes a new version beside the one before it, and no other in its place', async () => {
    const { secret } = await world.issue();
    await world.restart({ peppers: of(2, other, right) });
    equal(await isKnown(secret), true);
    await rejects(world.restart({ peppers: of(2, other, other) }), wrongPepper);
    await rejects(world.restart({ peppers: of(2, right, right) }), wrongPepper);
    await world.restart({ peppers: of(2, other, right) });
  });
});

test('of replicas that start at once on an empty database with different peppers, one wins', async () => {
  const { database } = world;
  await database.query({ text: 'DELETE FROM pepper_checks', values: [] });
  const outcomes = await Promise.allSettled(
    ['a', 'b', 'c'].map((letter) => assertPeppers(database, of(1, new Secret(letter.repeat(32))))),
  );
  deepEqual(outcomes.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected', 'rejected']);
});

test('an examination tells the standing of a pepper and stores nothing', async () => {
  const { database } = world;
  equal(await examinePepper(database, 1, right), 'same');
  equal(await examinePepper(database, 1, other), 'other');
  equal(await examinePepper(database, 2, other), 'unknown');
  deepEqual(await database.query({ text: 'SELECT version FROM pepper_checks', values: [] }), [
    { version: 1 },
  ]);
});
