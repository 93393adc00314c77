import { deepEqual, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { root } from './source.ts';

/** Everything that starts processes of ours: npm, an image, the supervisor, the black-box tests and the benches. */
const starters = [
  'package.json',
  'deploy/docker/Dockerfile',
  'deploy/processes/src/service-process.ts',
  'deploy/acceptance/src/instance.ts',
];
const flag = /--(?:no-memory-reducer|external-memory-accounted-in-global-limit)\b/g;

test('every way to start a process gives Node.js the same flags', () => {
  const flagsOf = (path: string) => [
    ...new Set(readFileSync(join(root, path), 'utf8').match(flag) ?? []),
  ];
  const [first = [], ...others] = starters.map(flagsOf);
  ok(first.length === 2, `package.json starts with ${first.join(' ')}`);
  for (const flags of others) deepEqual(flags, first);
});
