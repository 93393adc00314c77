import { equal, throws } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { subjectMatches, subjects } from './subjects.ts';

describe('a subject', () => {
  test('names whose fact it is', () => {
    equal(subjects.usageRecorded('acct_1'), 'usage.v1.recorded.acct_1');
    equal(subjects.keyChanged('0a1b'), 'changed.v1.key.0a1b');
  });

  test('is never made of an id that would change its shape', () => {
    for (const id of ['', 'a.b', 'a b', '*', '>', 'a\r\nPUB', 'x'.repeat(129)])
      throws(() => subjects.spendChanged(id), `${id} was taken`);
  });
});

describe('a filter', () => {
  test.each([
    ['usage.v1.>', 'usage.v1.recorded.a', true],
    ['usage.v1.>', 'usage.v1', false],
    ['usage.*.recorded', 'usage.v1.recorded', true],
    ['usage.*', 'usage.v1.recorded', false],
    ['usage.v1', 'usage.v1', true],
    ['usage.v1', 'usage.v2', false],
    ['>', 'anything.at.all', true],
  ])('%s takes %s: %s', (filter, subject, taken) => equal(subjectMatches(filter, subject), taken));
});
