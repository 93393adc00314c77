import { execFile } from 'node:child_process';
import { deepEqual, equal, ok } from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { bareEnvironment } from '@sluice/testing/bare-environment';
import { beforeAll, test } from 'vitest';
import { sharedInstance } from './shared/instance.ts';
import type { Running } from './shared/setup.ts';

const root = new URL('../../../', import.meta.url);
const page = (name: string) => new URL(`docs/${name}.md`, root);
const readme = new URL('README.md', root);
const localUrl = 'http://127.0.0.1:8080/v1';
/** With the node that runs this. */
const path = `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;
const runTimeoutMs = 30_000;

let sluice: Running;
beforeAll(async () => {
  sluice = await sharedInstance({ kind: 'outward' });
});

test.each([
  ['tutorial', 15],
  ['api', 25],
  ['requests', 25],
])('every line of the page %s runs and answers what stands behind it', async (name, count) => {
  const text = await readFile(page(name), 'utf8');
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block]) => block ?? '');
  const lines = blocks.join('').split('\n');
  const calls = lines.filter((line) => line.startsWith('curl '));
  ok(calls.length >= count);
  const expected = calls.map((line) => Number(/ # (\d{3})$/.exec(line)?.[1]));
  const script = [
    'set -eu',
    `curl() { command curl -sS -o /dev/null -w '%{http_code}\\n' "$@"; }`,
    ...lines,
  ].join('\n');
  const { stdout } = await promisify(execFile)('bash', ['-c', script], {
    env: { ...bareEnvironment, PATH: path, SLUICE_DATA_DIR: sluice.bootstrapDirectory },
    timeout: runTimeoutMs,
  });
  const answered = stdout.trim().split('\n').map(Number);
  deepEqual(
    calls.map((line, index) => [line, answered[index]]),
    calls.map((line, index) => [line, expected[index]]),
  );
  equal(answered.length, calls.length);
});

const run = promisify(execFile);
const examples = async (file: URL, language: string): Promise<readonly string[]> => {
  const text = await readFile(file, 'utf8');
  const blocks = text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'));
  return [...blocks].map(([, block]) =>
    (block ?? '').replaceAll(localUrl, sluice.bootstrap.base_url),
  );
};

test.each([
  ['the tutorial', page('tutorial'), 1],
  ['the README', readme, 1],
])('every program of %s prints what stands behind its lines', async (_, file, count) => {
  const programs = await examples(file, 'js');
  equal(programs.length, count);
  for (const program of programs) {
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: root,
      env: { ...bareEnvironment, PATH: path, SLUICE_API_KEY: sluice.bootstrap.api_key },
      timeout: runTimeoutMs,
    });
    const expected = [...program.matchAll(/ \/\/ → (.*)$/gm)].map(([, line]) => line);
    ok(expected.length > 0);
    deepEqual(stdout.trim().split('\n'), expected);
  }
});

test('the requests of the README are answered', async () => {
  const blocks = await examples(readme, 'sh');
  const answers: string[] = [];
  for (const block of blocks.filter((one) => one.startsWith('curl '))) {
    const { stdout } = await run('bash', ['-c', block], {
      env: { ...bareEnvironment, PATH: path, SLUICE_API_KEY: sluice.bootstrap.api_key },
      timeout: runTimeoutMs,
    });
    answers.push(stdout);
  }
  const [hello = '', searched = ''] = answers;
  equal(answers.length, 2);
  ok(hello.includes('You said: Hello, Sluice'), hello);
  ok(searched.includes('"url":"http://harbor.corpus.example/ferry-timetable"'), searched);
  ok(searched.includes('It leaves at 07:15.'), searched);
});
