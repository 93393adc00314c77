import { deepEqual } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..', '..');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

/** A shell between npm and the program keeps npm's SIGTERM for itself, and the program runs on. */
describe('an npm script', () => {
  test('that runs a program of ours, or sets a variable for one, gives it the place of the shell', () => {
    const runsProgram = /^(?:[A-Z_]+=|env |node |vitest )/;
    const withShell = Object.entries(scripts)
      .filter(([, script]) => runsProgram.test(script))
      .map(([name]) => name);
    deepEqual(withShell, []);
  });

  test('sets variables with env, since assignments before exec are read differently by shells', () => {
    const wrong = Object.entries(scripts).filter(([, script]) => /^exec [A-Z_]+=/.test(script));
    deepEqual(wrong, []);
  });
});
