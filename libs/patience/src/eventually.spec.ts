import { equal, rejects } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { eventually } from './index.ts';

/** Throws what is said for each look, and then returns how many there were. */
function looking(says: (look: number) => string | undefined) {
  let looks = 0;
  return {
    check: () => {
      looks += 1;
      const said = says(looks);
      if (said !== undefined) throw new Error(said);
      return looks;
    },
    get looks() {
      return looks;
    },
  };
}

describe('a wait', () => {
  test('ends with what is found', async () => {
    equal(await eventually(() => 'at once'), 'at once');
    const { check } = looking((look) => (look < 5 ? `${look}` : undefined));
    equal(await eventually(async () => check(), { everyMs: 0 }), 5);
  });

  test('goes on for as long as something changes', async () => {
    const { check } = looking((look) => (look < 50 ? `${Math.floor(look / 4)}` : undefined));
    equal(await eventually(check, { everyMs: 0, sameLooksMax: 5 }), 50);
  });

  test('gives up when nothing changes any more, with what was seen last', async () => {
    const seen = looking((look) => `${Math.min(look, 10)}`);
    await rejects(eventually(seen.check, { everyMs: 0, sameLooksMax: 5 }), { message: '10' });
    equal(seen.looks, 14);
  });

  test('has an end, whatever changes', async () => {
    const seen = looking(String);
    await rejects(eventually(seen.check, { everyMs: 0, looksMax: 20 }), { message: '20' });
    equal(seen.looks, 20);
  });

  test('says what was thrown although it is no error', async () => {
    const thrown = { is: 'odd' };
    const check = () => Promise.reject(thrown);
    await eventually(check, { everyMs: 0, sameLooksMax: 2 }).then(
      () => equal('found', 'not found'),
      (error: unknown) => equal(error, thrown),
    );
  });
});
