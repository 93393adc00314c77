import { deepEqual } from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { root } from './command.ts';
import { longest } from './longest-first.ts';

test('each file that begins first is there', () => {
  deepEqual(
    longest.filter((name) => !existsSync(join(root, name))),
    [],
  );
});
