import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'vitest';
import { givenFields } from './given-fields.ts';

test('a field without a value is left out, one that is null or false stays', () => {
  const changes = givenFields({ name: undefined, description: null, enabled: false, limit: 0n });
  deepStrictEqual(changes, { description: null, enabled: false, limit: 0n });
});
