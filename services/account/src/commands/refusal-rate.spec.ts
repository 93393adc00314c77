import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { refusalRate } from './refusal-rate.ts';

describe('how many refusals are kept', () => {
  test('is 60 a minute and account, and the next says how many were not', () => {
    const rate = refusalRate();
    const taken = Array.from({ length: 62 }, () => rate.take('org_1', 1_000));
    deepEqual(taken, [...Array.from({ length: 60 }, () => 0), undefined, undefined]);
    equal(rate.take('org_2', 1_000), 0);
    equal(rate.take('org_1', 60_999), undefined);
    equal(rate.take('org_1', 61_000), 3);
    equal(rate.take('org_1', 61_000), 0);
  });

  test('is known of the accounts that were refused last', () => {
    const rate = refusalRate();
    for (let count = 0; count < 60; count++) rate.take('org_1', 0);
    for (let other = 0; other < 9_999; other++) rate.take(`other_${other}`, 0);
    equal(rate.take('org_1', 0), undefined);
    for (let other = 0; other < 10_000; other++) rate.take(`another_${other}`, 0);
    equal(rate.take('org_1', 0), 0);
  });
});
