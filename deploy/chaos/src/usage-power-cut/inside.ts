import { randomInt } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { cutObstacle } from '../power-cut/obstacle.ts';
import type { Audited } from '../usage/audited.ts';
import { usagePowerCutTest } from './usage-power-cut-test.ts';

/** The test itself, in a process that has its mounts for itself: `inside.ts FOLDER`. */
const [folder = ''] = process.argv.slice(2);
const findingsShownMax = 20;
const controlCuts = 1;
const cuts = wholeNumber('CUTS', 10);
const requestsPerSecond = wholeNumber('RPS', 100);
const seed = wholeNumber('SEED', randomInt(2 ** 32));

const obstacle = await cutObstacle(await folderFor('trial'));
if (obstacle === undefined) await test();
else {
  say(`The usage power-cut test is skipped: ${obstacle}.`);
  end(0, { skipped: obstacle });
}

async function test(): Promise<void> {
  const options = { requestsPerSecond, seed, onProgress: say };
  say(
    `seed ${seed}: the control, a broker as it comes and a spool that does not sync, must lose usage`,
  );
  const control = await usagePowerCutTest({
    ...options,
    folder: await folderFor('control'),
    cuts: controlCuts,
    isDurable: false,
  }).then(counts, (error: Error) => ({ broken: error.message }));
  say(JSON.stringify({ control }));
  say('the test: all as it is must lose nothing');
  const real = { ...options, folder: await folderFor('test'), cuts, isDurable: true };
  const result = await usagePowerCutTest(real);
  const findings = [...result.findings];
  if ('lost' in control && control.lost === 0)
    findings.push('the control has lost nothing: this test shows nothing');
  for (const finding of findings.slice(0, findingsShownMax)) say(`NOT SO: ${finding}`);
  end(findings.length === 0 ? 0 : 1, { cuts, ...counts(result), control_lost: lostOf(control) });
}

function counts(result: Audited) {
  return {
    requests: result.requests,
    receipts: result.receipts,
    usage_rows: result.usageRows,
    lost: result.lost,
    double: result.double,
    billed_nano: String(result.billedNanoUsd),
    receipt_nano: String(result.receiptNanoUsd),
    overspend_nano: String(result.overspendNanoUsd),
  };
}

/** A run that did not restart has lost everything. */
function lostOf(control: { readonly lost: number } | { readonly broken: string }) {
  return 'lost' in control ? control.lost : control.broken;
}

async function folderFor(name: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(path);
  return path;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function end(code: number, result: object): never {
  say(JSON.stringify(result));
  process.exit(code);
}

function wholeNumber(name: string, fallback: number): number {
  const given = process.env[name];
  if (given === undefined || given === '') return fallback;
  if (/^\d{1,10}$/.test(given)) return Number(given);
  say(`${name} must be a whole number, not '${given}'.`);
  process.exit(1);
}
