import { equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { sharedTexts } from './shared-texts.ts';

describe('texts that many have in common', () => {
  test('are what they were, however many there are', () => {
    const shared = sharedTexts();
    for (let number = 0; number < 25_000; number++) equal(shared(`org_${number}`), `org_${number}`);
    equal(shared('org_1'), 'org_1');
  });
});
