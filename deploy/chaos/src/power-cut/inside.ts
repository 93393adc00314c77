import { randomInt } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { cutObstacle } from './obstacle.ts';
import { powerCutTest, type PowerCutResult } from './power-cut-test.ts';

/** The test itself, in a process that has its mounts for itself: `inside.ts FOLDER`. */
const [folder = ''] = process.argv.slice(2);
const findingsShownMax = 20;
const controlCuts = 2;
const cuts = wholeNumber('CUTS', 20);
const seed = wholeNumber('SEED', randomInt(2 ** 32));

const obstacle = await cutObstacle(await folderFor('trial'));
if (obstacle === undefined) await test();
else {
  say(`The power-cut test is skipped: ${obstacle}.`);
  end(0, { skipped: obstacle });
}

async function test(): Promise<void> {
  say(`seed ${seed}: the control, a node whose syncs do nothing, must lose events`);
  const options = { seed, onProgress: say };
  const control = await powerCutTest({
    ...options,
    folder: await folderFor('control'),
    cuts: controlCuts,
    syncs: false,
  });
  const real = { ...options, folder: await folderFor('test'), cuts, syncs: true };
  say('the test: a node as it is must lose nothing');
  const result = await powerCutTest(real);
  const findings = [
    ...(control.findings.length > 0
      ? []
      : ['the control has lost nothing: this test shows nothing']),
    ...result.findings,
  ];
  for (const finding of findings.slice(0, findingsShownMax)) say(`NOT SO: ${finding}`);
  const ok = findings.length === 0;
  end(ok ? 0 : 1, { ok, seed, ...counts(result), control: counts(control) });
}

function counts({ findings, ...result }: PowerCutResult) {
  return { ...result, findings: findings.length };
}

async function folderFor(name: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(path);
  return path;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function end(code: number, result: object): void {
  say(JSON.stringify({ test: 'power-cut', ...result }));
  process.exit(code);
}

function wholeNumber(name: string, fallback: number): number {
  const given = process.env[name];
  if (given === undefined || given === '') return fallback;
  if (/^\d{1,10}$/.test(given)) return Number(given);
  say(`${name} must be a whole number, not '${given}'.`);
  process.exit(1);
}
