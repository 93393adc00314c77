import { equal, ok, rejects } from 'node:assert/strict';
import { inspect } from 'node:util';
import { describe, test } from 'vitest';
import { localModerator } from './local-moderator.ts';
import { moderatorContract } from './testing/moderator-contract.ts';

moderatorContract('our own rules', async () => ({
  moderator: localModerator(),
  close: async () => undefined,
}));

const { signal } = new AbortController();
const charactersMax = 2_000_000;

describe('our own rules', () => {
  test.each([
    ['one letter', 'a'],
    ['letters that stand apart', 'a '],
    ['a word of rules', 'kill '],
    ['signs', '*'],
    ['marks without letters', '\u0301'],
    ['letters that look alike', '\u0430'],
    ['ligatures', '\ufdfa'],
  ])('come to an end on 2 MB of %s, and others have their turns', async (_, part) => {
    const text = part.repeat(charactersMax / part.length);
    let turns = 0;
    let counting = setImmediate(function count() {
      turns += 1;
      counting = setImmediate(count);
    });
    const [verdict] = await localModerator({ deadlineMs: 120_000 }).check([text], { signal });
    clearImmediate(counting);
    equal(verdict?.isFlagged, false);
    ok(turns > 20, `${String(turns)} turns`);
  });

  test('throw at their deadline, without a word of the text', async () => {
    const late = localModerator({ deadlineMs: 0 });
    const texts = ['a secret text '.repeat(10_000)];
    const error: unknown = await late.check(texts, { signal }).catch((reason: unknown) => reason);
    await rejects(Promise.reject(error), { name: 'Fault', code: 'moderation_unavailable' });
    ok(!inspect(error, { depth: 10 }).includes('a secret text'));
  });
});
