import { deepEqual } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { nameIssues } from './index.ts';

describe('a name', () => {
  test.each(['a', 'Üretim – 生産 🚀', 'x'.repeat(200), '🚀'.repeat(200)])('may be %j', (name) => {
    deepEqual(nameIssues('name', name, 200), []);
  });

  test.each(['', ' \u00a0', 'x'.repeat(201), '🚀'.repeat(201)])(
    'must have some characters and not too many: %j',
    (name) => {
      deepEqual(nameIssues('name', name, 200), [
        { path: 'name', message: 'must have 1 to 200 characters, not only spaces' },
      ]);
    },
  );

  test.each(['a\0b', 'a\nb', '\u001b[31m', 'a\u007f', 'a\u0085', '\ud83d', 'a\udc00b'])(
    'must not have what cannot be written: %j',
    (name) => {
      deepEqual(nameIssues('name', name, 200), [
        { path: 'name', message: 'must not have control characters' },
      ]);
    },
  );
});
