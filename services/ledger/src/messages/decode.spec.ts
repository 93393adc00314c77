import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { aFact } from '../testing/a-fact.ts';
import { decodeCredit, decodeUsage } from './decode.ts';
import { usageMessage } from './usage-message.ts';

const message = (data: unknown) => ({
  subject: 'usage.v1.recorded.acct_1',
  id: undefined,
  data,
  bytes: new Uint8Array(),
  redelivered: false,
});
const decoded = (changes: object) => decodeUsage(message({ ...usageMessage(aFact()), ...changes }));

describe('a usage message', () => {
  test('gives back every digit of what was published', () => {
    const fact = aFact({ costNanoUsd: 9_007_199_254_740_991n, isByok: true, estimated: true });
    const { replica, epoch, sequence } = fact;
    const published = message(usageMessage(fact));
    deepEqual(decodeUsage(published), {
      message: published,
      fact: { ...fact, providerUsage: Buffer.alloc(0) },
      place: { replica, epoch, sequence },
    });
  });

  test.each<[string, unknown]>([
    ['no JSON', undefined],
    ['a number', 5],
    ['a list', []],
    ['null', null],
    ['nothing in it', {}],
  ])('that is %s is unusable, without a place', (_case, data) => {
    const result = decodeUsage(message(data));
    equal('problem' in result && result.place === undefined, true);
  });

  test.each<[string, object]>([
    ['a fraction', { costNanoUsd: 1.5 }],
    ['a word for a number', { costNanoUsd: 'much' }],
    ['a word for a flag', { isByok: 'false' }],
    ['a negative cost', { costNanoUsd: '-1' }],
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
