import { randomInt } from 'node:crypto';
import { eventStoreTest } from './eventstore-test.ts';
import { tableOf } from './outcome.ts';

/**
 * `make chaos-eventstore`. `FAULTS='killed,frozen'` chooses; `ESDB_URL`, `ESDB_START`, `ESDB_PID` and `ESDB_DATA` put
 * a server in the place of the embedded node. The last line is JSON; 0 only when all holds.
 */
const findingsShownMax = 40;
const { env } = process;
const seed = wholeNumber('SEED', randomInt(2 ** 32));
const url = env['ESDB_URL'];
const given = url
  ? {
      url,
      startCommand: env['ESDB_START'] || undefined,
      pid: env['ESDB_PID'] ? wholeNumber('ESDB_PID', 0) : undefined,
      dataDirectory: env['ESDB_DATA'] || undefined,
    }
  : undefined;
const faults = env['FAULTS'] ? env['FAULTS'].split(',').map((name) => name.trim()) : undefined;
try {
  const { outcomes, skipped, findings, ...numbers } = await eventStoreTest({
    seed,
    rounds: wholeNumber('ROUNDS', 1),
    requestsPerSecond: wholeNumber('RPS', 20),
    awayMs: wholeNumber('AWAY_SECONDS', 8) * 1_000,
    lookOutMs: wholeNumber('LOOK_OUT_SECONDS', 30) * 1_000,
    gapMsMax: 3_000,
    ...(faults === undefined ? {} : { faults }),
    ...(given === undefined ? {} : { given }),
    onProgress: console.log,
  });
  console.log(tableOf(outcomes));
  for (const [fault, reason] of Object.entries(skipped))
    console.log(`Skipped: ${fault}: ${reason}`);
  for (const finding of findings.slice(0, findingsShownMax)) console.log(`NOT SO: ${finding}`);
  const { lost, twice, silent, longestGapMs, failedInference, ...others } = numbers;
  const verdict = { lost, twice, silent, longestGapMs, failedInference };
  const counted = { faults: outcomes.length, skipped: Object.keys(skipped).length };
  console.log(
    JSON.stringify({ ...verdict, ...others, ...counted, seed, findings: findings.length }),
  );
  process.exit(findings.length === 0 ? 0 : 1);
} catch (error) {
  console.log(`NOT SO: ${(error as Error).stack}`);
  console.log(JSON.stringify({ seed, findings: 1 }));
  process.exit(1);
}

function wholeNumber(name: string, fallback: number): number {
  const text = env[name];
  if (text === undefined || text === '') return fallback;
  if (/^\d{1,10}$/.test(text)) return Number(text);
  console.error(`${name} must be a whole number, not '${text}'.`);
  process.exit(1);
}
