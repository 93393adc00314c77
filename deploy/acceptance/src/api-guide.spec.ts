import { execFile } from 'node:child_process';
import { deepEqual, equal, ok } from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, test } from 'vitest';
import { type Instance, startInstance } from './instance.ts';

const guide = new URL('../../../docs/api.md', import.meta.url);
/** With the node that runs this. */
const path = `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;
const runTimeoutMs = 30_000;

let sluice: Instance;
beforeAll(async () => {
  sluice = await startInstance();
});
afterAll(() => sluice?.dispose());

test('every line of the API guide runs and answers what stands behind it', async () => {
  const text = await readFile(guide, 'utf8');
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block]) => block ?? '');
  const lines = blocks.join('').split('\n');
  const calls = lines.filter((line) => line.startsWith('curl '));
  ok(calls.length >= 15);
  const expected = calls.map((line) => Number(/ # (\d{3})$/.exec(line)?.[1]));
  const script = [
    'set -eu',
    `curl() { command curl -sS -o /dev/null -w '%{http_code}\\n' "$@"; }`,
    ...lines,
  ].join('\n');
  const { stdout } = await promisify(execFile)('bash', ['-c', script], {
    env: { PATH: path, SLUICE_DATA_DIR: sluice.dataDirectory },
    timeout: runTimeoutMs,
  });
  const answered = stdout.trim().split('\n').map(Number);
  deepEqual(
    calls.map((line, index) => [line, answered[index]]),
    calls.map((line, index) => [line, expected[index]]),
  );
  equal(answered.length, calls.length);
});
