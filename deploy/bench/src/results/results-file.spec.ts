import { deepEqual } from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { keepResults } from './results-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-results-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const kept = async () =>
  JSON.parse(await readFile(join(folder, 'results.json'), 'utf8')) as unknown;

describe('the results of benches', () => {
  test('stand side by side in one file; those of the same name are replaced', async () => {
    await keepResults(folder, { rows: [1], ratios: {} });
    await keepResults(folder, { scale: { keys: 10 } });
    await keepResults(folder, { rows: [2] });
    deepEqual(await kept(), { rows: [2], ratios: {}, scale: { keys: 10 } });
    deepEqual(await readdir(folder), ['results.json']);
  });

  test('are made anew where the file is damaged', async () => {
    await writeFile(join(folder, 'results.json'), '{"rows": [');
    await keepResults(folder, { rows: [3] });
    deepEqual(await kept(), { rows: [3] });
  });
});
