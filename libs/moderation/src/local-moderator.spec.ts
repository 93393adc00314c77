import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { inspect } from 'node:util';
import {
  createWorkerPool,
  type JobFailure,
  type PoolJob,
  type WorkerPool,
} from '@sluice/worker-pool';
import { afterAll, describe, test } from 'vitest';
import { localModerator } from './local-moderator.ts';
import { moderatorContract } from './testing/moderator-contract.ts';

const pool = createWorkerPool({ waitMs: 600_000, starvedMs: 600_000, deadlineMs: 120_000 });
afterAll(() => pool.stop());

moderatorContract('our own rules', async () => ({
  moderator: localModerator({ pool }),
  close: async () => undefined,
}));

const { signal } = new AbortController();
const charactersMax = 2_000_000;

/** A pool without a result. */
function failing(failure: JobFailure): WorkerPool & { readonly jobs: PoolJob[] } {
  const jobs: PoolJob[] = [];
  return {
    jobs,
    async run(job) {
      jobs.push(job);
      return failure;
    },
    stop: async () => undefined,
  };
}

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
    const [verdict] = await localModerator({ pool }).check([text], { account: 'a', signal });
    clearImmediate(counting);
    equal(verdict?.isFlagged, false);
    // A check on this thread would leave one turn or two.
    ok(turns > 5, `${String(turns)} turns`);
  });

  test.each(['late', 'busy', 'broken'] as const)(
    'throw if a thread says %s, without a word of the text',
    async (failure) => {
      const threads = failing(failure);
      const texts = ['a secret text '.repeat(10_000)];
      const check = localModerator({ pool: threads }).check(texts, { account: 'b', signal });
      const error: unknown = await check.catch((reason: unknown) => reason);
      await rejects(Promise.reject(error), { name: 'Fault', code: 'moderation_unavailable' });
      ok(!inspect(error, { depth: 10 }).includes('a secret text'));
      deepEqual(
        threads.jobs.map(({ account }) => account),
        ['b'],
      );
    },
  );
});
