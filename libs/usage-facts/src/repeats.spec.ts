import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { readFact, writeFact } from './fact-json.ts';
import { areToldTogether, countOf, repeatFields, withRepeats } from './repeats.ts';
import { bundledCount, readBundled } from './read-bundled.ts';
import { aFact, aRepeat, aRepeatedFact } from './testing/a-fact.ts';

const subject = 'usage.v1.recorded.acct_1';
const own: ReadonlySet<string> = new Set(repeatFields);

describe('a fact with repeats', () => {
  const fact = aRepeatedFact({
    sequence: 7n,
    repeats: [aRepeat(), aRepeat({ externalUser: 'u' })],
  });

  test('stands for so many facts, each with the values of its own', () => {
    equal(countOf(fact), 3);
    const [first, second, third] = withRepeats(fact);
    deepEqual(first, { ...fact, repeats: [] });
    const [repeat] = fact.repeats;
    deepEqual(second, {
      ...fact,
      repeats: [],
      usageId: `${repeat?.generationId}/1/1`,
      generationId: repeat?.generationId,
      requestId: repeat?.requestId,
      responseCacheSourceId: repeat?.sourceId,
      admittedAt: repeat?.startedAt,
      completedAt: repeat?.endedAt,
      sequence: 8n,
    });
    deepEqual([third?.externalUser, third?.sequence], ['u', 9n]);
  });

  test('shares all other values with them', () => {
    const [first, ...others] = withRepeats(readFact(writeFact(fact)));
    ok(first);
    for (const other of others) {
      ok(areToldTogether(first, other));
      const names = Object.keys(other) as (keyof typeof other)[];
      for (const name of names) ok(own.has(name) || other[name] === first[name], name);
    }
    ok(!areToldTogether(first, { ...first, model: 'sim/other' }));
    ok(!areToldTogether(first, aFact()));
  });

  test('without any stands for itself', () => {
    const alone = aRepeatedFact();
    deepEqual(withRepeats(alone), [alone]);
    equal(countOf(alone), 1);
  });

  test('is read as each of them, at the place of the one', () => {
    const facts = [writeFact(aFact()), writeFact(fact)];
    equal(bundledCount(facts), 4);
    const read = readBundled(facts, subject);
    deepEqual(
      read.map(({ index }) => index),
      [0, 1, 1, 1],
    );
    deepEqual(
      read.slice(1).map(({ place }) => place?.sequence),
      [7n, 8n, 9n],
    );
    ok(read.every((one) => 'fact' in one && one.fact.repeats.length === 0));
  });
});

describe('repeats are not counted', () => {
  const problemsOf = (changes: Parameters<typeof aRepeatedFact>[0]) =>
    readBundled([writeFact(aRepeatedFact({ sequence: 7n, ...changes }))], subject).map((one) => [
      'problem' in one ? one.problem : '',
      one.place?.sequence,
    ]);
  const noAnswer = 'repeats of a fact that is no repeated answer';

  test.each([
    ['of an answer that is new', { responseCacheSourceId: '' }, noAnswer],
    ['of a fact that costs', { costNanoUsd: 1n, holdNanoUsd: 1n }, noAnswer],
    ['that a lease paid', { leaseNumbers: [1n], leaseEpoch: 1n }, noAnswer],
  ])('%s', (_case, changes, problem) => {
    // The watermark passes all of them.
    deepEqual(problemsOf({ ...changes, repeats: [aRepeat()] }), [
      [problem, 7n],
      [problem, 8n],
    ]);
  });

  test.each([
    ['without a generation', { generationId: '' }],
    ['whose generation is too long', { generationId: 'g'.repeat(253) }],
    ['without a source', { sourceId: '' }],
    ['of no instant', { startedAt: 'today' }],
    ['that ended never', { endedAt: '' }],
    ['of a request that no column can keep', { requestId: 'a\0' }],
  ])('%s', (_case, changes) => {
    const [problem] = problemsOf({ repeats: [aRepeat(changes)] })[0] ?? [];
    equal(problem, 'a repeat is malformed');
  });

  test('if they are no list, or no objects', () => {
    const fact = writeFact(aRepeatedFact());
    equal(bundledCount([{ ...fact, repeats: {} }, null, 7]), 3);
    const [one] = readBundled([{ ...fact, repeats: [null] }], subject);
    equal(one && 'problem' in one, true);
  });
});
