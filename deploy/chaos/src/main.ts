import { randomInt } from 'node:crypto';
import { tmpdir } from 'node:os';
import { cutObstacle } from './parts/loop-disk.ts';
import { mountObstacle, runWithPrivateMounts } from './parts/private-mounts.ts';
import { perform } from './perform.ts';
import { type Row, scenarios } from './scenarios.ts';
import { Settings, WrongSetting } from '@sluice/testing/settings';

/** Performs a scenario: `main.ts NAME`. The last line is JSON. The exit code is 0 only if all holds. */
const findingsShownMax = 40;
const [name = '', place] = process.argv.slice(2);
const row = scenarios[name];
if (!row) throw new Error(`Name one of ${Object.keys(scenarios).join(', ')}.`);
const isInside = place === 'inside';
const obstacle = await (isInside ? cutObstacle(tmpdir()) : mountObstacle());
if (row.cutsPower && obstacle !== undefined) {
  console.log(`${name} is skipped: ${obstacle}.`);
  console.log(JSON.stringify({ test: name, skipped: obstacle }));
  process.exit(0);
}
const command = [import.meta.filename, name, 'inside'];
process.exit(
  row.cutsPower && !isInside ? await runWithPrivateMounts(command, console.log) : await show(row),
);

async function show({ perform: scenario, broken }: Row): Promise<number> {
  let seed = 0;
  try {
    seed = new Settings(process.env).wholeNumber('SEED', randomInt(2 ** 32));
    console.log(`seed ${seed}`);
    const environment = { ...process.env, SEED: String(seed) };
    const { findings, details = [], numbers } = await perform(scenario, environment, console.log);
    for (const detail of details) console.log(detail);
    for (const finding of findings.slice(0, findingsShownMax)) console.log(`NOT SO: ${finding}`);
    console.log(JSON.stringify(numbers));
    return findings.length === 0 ? 0 : 1;
  } catch (error) {
    if (error instanceof WrongSetting) console.error(error.message);
    else console.log(`NOT SO: ${(error as Error).stack}`);
    console.log(JSON.stringify({ ...broken, seed }));
    return 1;
  }
}
