import { equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { isKeyHash, isPlainId, isUuid } from './id-forms.ts';

describe('the form of an id', () => {
  test.each([
    [
      isUuid,
      '0190a000-0000-7000-8000-000000000010',
      ['', 'x', '0190A000-0000-7000-8000-000000000010'],
    ],
    [isKeyHash, 'ab'.repeat(32), ['', 'ab', 'AB'.repeat(32), `${'ab'.repeat(32)}\n`]],
    [isPlainId, 'org_1-A', ['', 'org 1', 'a.b', 'a'.repeat(129)]],
  ])('%o', (isOfForm, good, bad) => {
    equal(isOfForm(good), true);
    for (const text of bad) equal(isOfForm(text), false, JSON.stringify(text));
  });
});
