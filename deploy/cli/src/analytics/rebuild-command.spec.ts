import { deepEqual, throws } from 'node:assert/strict';
import { test } from 'vitest';
import { parseCommandLine } from '../command-line.ts';

test('analytics rebuild takes no further words', () => {
  deepEqual(parseCommandLine(['analytics', 'rebuild']), {
    name: 'analytics-rebuild',
    command: undefined,
  });
  throws(() => parseCommandLine(['analytics', 'rebuild', 'all']), { name: 'WrongUsage' });
});
