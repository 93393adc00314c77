import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

export const goldenFolder = fileURLToPath(new URL('../golden', import.meta.url));

const isRecording = process.env['RECORD'] === '1';
if (isRecording && process.env['CI'] !== undefined)
  throw new Error('RECORD=1 in CI: goldens are recorded by people, who read the difference');

/** Compares with the golden file of this name; with RECORD=1, writes it. */
export function expectGolden(name: string, text: string): void {
  const path = join(goldenFolder, `${name}.txt`);
  if (isRecording) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return;
  }
  expect(text).toBe(readFileSync(path, 'utf8'));
}

/** Golden files that no case has; with RECORD=1 they are removed. */
export function strayGoldens(names: readonly string[]): readonly string[] {
  const known = new Set(names.map((name) => `${name}.txt`));
  const found = readdirSync(goldenFolder, { recursive: true, encoding: 'utf8' });
  const stray = found.filter((path) => path.endsWith('.txt') && !known.has(path));
  if (!isRecording) return stray;
  for (const path of stray) rmSync(join(goldenFolder, path));
  return [];
}
