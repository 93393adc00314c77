import { randomInt } from 'node:crypto';
import { crashTest } from './crash-test.ts';

/** `KILLS=50 SEED=1 npm run test:crash`. The last line is JSON; the exit code is 0 only when all holds. */
const findingsShownMax = 20;
const kills = wholeNumber('KILLS', 50);
const seed = wholeNumber('SEED', randomInt(2 ** 32));
try {
  const { findings, ...result } = await crashTest({ kills, seed, onProgress: console.log });
  for (const finding of findings.slice(0, findingsShownMax)) console.log(`NOT SO: ${finding}`);
  end({ ...result, findings: findings.length });
} catch (error) {
  console.log(`NOT SO: ${(error as Error).stack}`);
  end({ ok: false, seed });
}

function end(result: Readonly<Record<string, unknown>> & { readonly ok: boolean }): never {
  console.log(JSON.stringify({ test: 'crash', ...result }));
  process.exit(result.ok ? 0 : 1);
}

function wholeNumber(name: string, fallback: number): number {
  const given = process.env[name];
  if (given === undefined || given === '') return fallback;
  if (/^\d{1,10}$/.test(given)) return Number(given);
  console.error(`${name} must be a whole number, not '${given}'.`);
  process.exit(1);
}
