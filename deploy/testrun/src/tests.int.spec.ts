import { deepEqual, equal, match } from 'node:assert/strict';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, onTestFinished, test } from 'vitest';
import { runTests } from './tests.ts';

const config = `export default { test: { globals: true, include: ['*.fixture.mjs'] } };`;
/** Each file notes that it is run. \`isFirst\` is true in the first run of the file. */
const begin = (name: string) => `
  import { appendFileSync, readFileSync } from 'node:fs';
  appendFileSync('runs', '${name}\\n');
  const isFirst = readFileSync('runs', 'utf8').split('${name}\\n').length === 2;
`;
const bodies = {
  good: `const { skip } = test; test('a', () => {}); skip('b', () => {});`,
  flaky: `test('a', () => {}); test('b', () => { if (isFirst) throw new Error('too slow'); });`,
  unloaded: `if (isFirst) throw new Error('no server'); test('a', () => {});`,
  broken: `test('a', () => {}); test('b', () => { throw new Error('wrong'); });`,
  loose: `test('a', () => { void Promise.reject(new Error('nobody waits')); });`,
};

/** Runs a project of such files with the real Vitest. */
async function runProject(...names: readonly (keyof typeof bodies)[]) {
  const cwd = await realpath(await mkdtemp(join(tmpdir(), 'sluice-fixture-')));
  onTestFinished(() => rm(cwd, { recursive: true, force: true }));
  await writeFile(join(cwd, 'vitest.config.mjs'), config);
  for (const name of names)
    await writeFile(join(cwd, `${name}.fixture.mjs`), begin(name) + bodies[name]);
  const { flaky, broken, unhandled, slowest, ...tally } = await runTests({ cwd, output: 'ignore' });
  equal(slowest.length, names.length);
  const runs = (await readFile(join(cwd, 'runs'), 'utf8')).trim().split('\n');
  return { tally, flaky, broken, unhandled, runs };
}

describe('a file that failed', () => {
  test('is run once more after all others, and is flaky if it passes then', async () => {
    const { tally, flaky, broken, runs } = await runProject('good', 'flaky', 'unloaded');
    deepEqual(tally, { passed: 4, failed: 0, skipped: 1 });
    deepEqual(broken, []);
    const [first, second] = flaky.toSorted((a, b) => (a.file < b.file ? -1 : 1));
    deepEqual([first?.file, second?.file], ['flaky.fixture.mjs', 'unloaded.fixture.mjs']);
    match(first?.failures.join() ?? '', /^b: .*too slow/);
    match(second?.failures.join() ?? '', /no server/);
    equal(runs.length, 5);
    deepEqual(new Set(runs.slice(0, 3)), new Set(['good', 'flaky', 'unloaded']));
  });

  test('fails the run if it fails again, and is run no third time', async () => {
    const { tally, flaky, broken, runs } = await runProject('broken', 'flaky');
    deepEqual(tally, { passed: 3, failed: 1, skipped: 0 });
    deepEqual(
      [flaky, broken].map((files) => files.map(({ file }) => file)),
      [['flaky.fixture.mjs'], ['broken.fixture.mjs']],
    );
    deepEqual(runs.toSorted(), ['broken', 'broken', 'flaky', 'flaky']);
  });
});

describe('an error that no test has', () => {
  test('fails the run, also where a file is only flaky', async () => {
    const alone = await runProject('good', 'loose');
    deepEqual([alone.tally.failed, alone.unhandled.length], [1, 1]);
    match(alone.unhandled[0] ?? '', /nobody waits[^]*loose\.fixture\.mjs/);
    const { tally, flaky } = await runProject('flaky', 'loose');
    deepEqual([tally.failed, flaky.length], [1, 1]);
  });
});
