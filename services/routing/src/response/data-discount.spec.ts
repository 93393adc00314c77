import { equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { dataDiscountOf } from './data-discount.ts';

type Planned = Parameters<typeof dataDiscountOf>[1];

const planned = ({ givesData = true, zdr = false, guardrails = [] as object[] } = {}) =>
  ({
    policy: { ...(givesData && { givesData }), guardrails },
    request: { preferences: { demandsZeroRetention: zdr } },
  }) as unknown as Planned;

describe('the discount for contents', () => {
  test('is one per cent if the workspace gives its contents', () =>
    equal(dataDiscountOf({}, planned()), 100));

  test('is not given otherwise', () =>
    equal(dataDiscountOf({}, planned({ givesData: false })), undefined));

  test('is not given to a request that withholds its contents', () =>
    equal(dataDiscountOf({ client: { withholdsContents: true } }, planned()), undefined));

  test('is not given under zero data retention, of the request or of a guardrail', () => {
    equal(dataDiscountOf({}, planned({ zdr: true })), undefined);
    const guardrails = [{ rules: { zeroRetention: { openai: true } } }];
    equal(dataDiscountOf({}, planned({ guardrails })), undefined);
  });
});
