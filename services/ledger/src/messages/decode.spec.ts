import { deepEqual, equal, ok } from 'node:assert/strict';
import { writeFact } from '@sluice/usage-facts';
import { describe, test } from 'vitest';
import { aFact, aRepeat, aRepeatedFact } from '@sluice/usage-facts/testing';
import { decodeCredit, decodeUsage } from './decode.ts';

const message = (data: unknown, text = JSON.stringify(data) ?? '') => ({
  subject: 'usage.v1.recorded.acct_1',
  id: 'bundle-1',
  data,
  bytes: Buffer.from(text),
  redelivered: false,
});
const bundle = (...facts: readonly unknown[]) => message({ facts });
const decoded = (changes: object) => {
  const [one] = decodeUsage(bundle({ ...writeFact(aFact()), ...changes }));
  ok(one);
  return one;
};
const fifty = Array.from({ length: 50 }, () => aRepeat());
const rawOf = (text: string) =>
  decodeUsage(message(JSON.parse(text), text)).map(({ message: { bytes } }) =>
    Buffer.from(bytes).toString(),
  );

describe('a bundle of usage', () => {
  test('gives back every digit of what was published, in order', () => {
    const fact = aFact({ costNanoUsd: 9_007_199_254_740_991n, isByok: true, estimated: true });
    const { replica, epoch, sequence } = fact;
    const published = [fact, aFact(), aFact()];
    const found = decodeUsage(bundle(...published.map(writeFact)));
    deepEqual(
      found.map((one) => 'fact' in one && one.fact),
      published.map((one) => ({ ...one, providerUsage: Buffer.alloc(0) })),
    );
    deepEqual(found[0]?.place, { replica, epoch, sequence });
  });

  test('has the facts that can be counted, whatever the others are', () => {
    const [one, other] = [writeFact(aFact()), writeFact(aFact())];
    const found = decodeUsage(bundle(one, null, { ...other, costNanoUsd: '-1' }, other));
    deepEqual(
      found.map((each) => ('problem' in each ? each.problem : undefined)),
      [undefined, 'no JSON object', 'a count or the cost is negative or absurd', undefined],
    );
    equal(
      found.every(({ message: { id } }) => id === 'bundle-1'),
      true,
    );
  });

  test('has a fact for each answer that was repeated, with the bytes of the one', () => {
    const fact = writeFact(aRepeatedFact({ repeats: [aRepeat(), aRepeat()] }));
    const found = decodeUsage(bundle(writeFact(aFact()), fact));
    equal(found.length, 4);
    for (const { message: raw } of found.slice(1))
      equal(Buffer.from(raw.bytes).toString(), JSON.stringify(fact));
  });

  test('keeps each fact as it was written, digit by digit', () => {
    deepEqual(rawOf('{"facts":[{"costNanoUsd": 1.50000000000000000001 } , "a,\\"]" ,[1,{}],7]}'), [
      '{"costNanoUsd": 1.50000000000000000001 }',
      '"a,\\"]"',
      '[1,{}]',
      '7',
    ]);
    deepEqual(rawOf(' {"x":{"facts":[1]},"facts":[1],"fa\\u0063ts":[{"n":1e2}], "y":[3,4]} '), [
      '{"n":1e2}',
    ]);
  });

  test.each<[string, unknown]>([
    ['no list', { facts: writeFact(aFact()) }],
    ['one fact without a bundle', writeFact(aFact())],
    ['without facts', { facts: [] }],
    ['of too many', { facts: Array.from({ length: 51 }, () => writeFact(aFact())) }],
    ['of too many repeats', { facts: [writeFact(aRepeatedFact({ repeats: fifty }))] }],
  ])('that is %s is unusable as a whole, as it came', (_case, data) => {
    const whole = message(data);
    const [problem, ...others] = decodeUsage(whole);
    equal(problem && 'problem' in problem && problem.message, whole);
    deepEqual(others, []);
  });

  test.each<[string, unknown]>([
    ['no JSON', undefined],
    ['a number', 5],
    ['a list', []],
    ['null', null],
    ['nothing in it', {}],
  ])('that is %s is unusable, without a place', (_case, data) => {
    for (const [result] of [decodeUsage(message(data)), decodeUsage(bundle(data))])
      equal(result && 'problem' in result && result.place === undefined, true);
  });

  test.each<[string, object]>([
    ['a fraction', { costNanoUsd: 1.5 }],
    ['a word for a number', { costNanoUsd: 'much' }],
    ['a word for a flag', { isByok: 'false' }],
    ['a negative cost', { costNanoUsd: '-1' }],
    ['the account of another subject', { accountId: 'acct_2' }],
  ])('with %s is unusable', (_case, changes) => equal('problem' in decoded(changes), true));

  test('that is absurd keeps its place', () => {
    equal(decoded({ costNanoUsd: '-1', sequence: '7' }).place?.sequence, 7n);
  });
});

describe('a credit message', () => {
  test('is unusable when it is no object or its amount is no number', () => {
    equal('problem' in decodeCredit(message('credit')), true);
    equal('problem' in decodeCredit(message({ amountNanoUsd: 'x' })), true);
  });
});
