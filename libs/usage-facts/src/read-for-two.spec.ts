import { deepEqual, equal, notDeepEqual, notEqual } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { writeFact } from './fact-json.ts';
import { bundleReader } from './read-bundle.ts';
import { readForTwo, type UntakenBounds } from './read-for-two.ts';
import { aFact } from './testing/a-fact.ts';

const factsMax = 50;

/** A message whose JSON is counted when it is parsed. */
function aMessage(id: string, facts: readonly object[] = [writeFact(aFact())]) {
  const bytes = Buffer.from(JSON.stringify({ facts }));
  const message = {
    subject: 'usage.v1.recorded.acct_1',
    id,
    bytes,
    parsed: 0,
    get data(): unknown {
      message.parsed += 1;
      return JSON.parse(bytes.toString());
    },
  };
  return message;
}

const alone = bundleReader(factsMax);
const reader = (bounds?: UntakenBounds) => readForTwo(alone, bounds);

describe('a message that two consumers read', () => {
  test('is parsed once, and both have the facts that each would read alone', () => {
    const read = reader();
    const message = aMessage('m1');
    const one = read(message);
    equal(read(message), one);
    equal(message.parsed, 1);
    deepEqual(one, alone(message));
  });

  test('is forgotten once both have it: who reads it again parses it', () => {
    const read = reader();
    const message = aMessage('m1');
    const [one, other, again] = [read(message), read(message), read(message)];
    equal(one, other);
    notEqual(again, one);
    deepEqual(again, one);
    equal(message.parsed, 2);
  });

  test('is not taken for one of the same id with other bytes, or of another subject', () => {
    const read = reader();
    const [first, second] = [aMessage('m1'), aMessage('m1')];
    read(first);
    deepEqual(read(second), alone(second));
    const elsewhere = { ...second, subject: 'usage.v1.recorded.acct_2' };
    deepEqual(read(elsewhere), alone(elsewhere));
    notDeepEqual(read(elsewhere), alone(second));
  });

  test('has the same problem for both', () => {
    const read = reader();
    const message = aMessage(
      'm1',
      Array.from({ length: factsMax + 1 }, () => ({})),
    );
    for (const problem of [read(message), read(message)])
      deepEqual(problem, { problem: 'more than 50 facts' });
  });
});

describe('of messages that only one consumer has read', () => {
  // All have the same number of bytes.
  const facts = [writeFact(aFact())];
  const messages = Array.from({ length: 10 }, (_, index) => aMessage(`m${index}`, facts));
  const bytes = messages[0]?.bytes.length ?? 0;

  test.each([
    ['their number', { bundlesMax: 4, bytesMax: Infinity }],
    ['their bytes', { bundlesMax: Infinity, bytesMax: 4 * bytes }],
  ])('the newest are there, bounded by %s, and the other reads the rest itself', (_, bounds) => {
    const read = reader(bounds);
    for (const message of messages) message.parsed = 0;
    const seen = messages.map((message) => read(message));
    const newestFirst = messages.toReversed().map((message) => read(message));
    deepEqual(newestFirst.toReversed(), seen);
    deepEqual(
      messages.map(({ parsed }) => parsed),
      [2, 2, 2, 2, 2, 2, 1, 1, 1, 1],
    );
  });

  test('none is in the way of the other: each has all, in its own order and as often as it likes', () => {
    const read = reader({ bundlesMax: 3, bytesMax: Infinity });
    const [fast, slow] = [
      [0, 1, 2, 3, 4, 4, 5, 6, 7, 8, 9],
      [0, 0, 2, 1, 9, 3, 4, 5, 6, 7, 8],
    ];
    for (const [step, place] of fast.entries())
      for (const at of [place, slow[step] ?? 0]) {
        const message = messages[at];
        if (message) deepEqual(read(message), alone(message));
      }
  });
});
