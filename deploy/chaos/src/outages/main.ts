import { randomInt } from 'node:crypto';
import { type OutageName, outagesTest } from './outages-test.ts';

/**
 * `OUTAGE_SECONDS=30 RPS=30 SEED=1 OUTAGES='nats frozen,nats killed' npm run chaos:outages`.
 * The last line is JSON. The status is 0 only if all holds.
 */
const findingsShownMax = 20;
const seed = wholeNumber('SEED', randomInt(2 ** 32));
const all: readonly OutageName[] = [
  'ledger frozen',
  'postgres frozen',
  'nats frozen',
  'ledger killed',
  'postgres killed',
  'nats killed',
  'nats forgetful',
];
const wanted = process.env['OUTAGES']?.split(',') ?? all;
const outages = all.filter((name) => wanted.includes(name));
if (outages.length !== wanted.length) {
  console.error(`OUTAGES must be some of ${all.join(', ')}.`);
  process.exit(1);
}
try {
  const result = await outagesTest({
    outages,
    outageSeconds: wholeNumber('OUTAGE_SECONDS', 30),
    requestsPerSecond: wholeNumber('RPS', 30),
    seed,
    onProgress: console.log,
  });
  for (const finding of result.findings.slice(0, findingsShownMax))
    console.log(`NOT SO: ${finding}`);
  console.log(
    JSON.stringify({
      outages: result.outages.length,
      requests: result.requests,
      receipts: result.receipts,
      usage_rows: result.usageRows,
      lost: result.lost,
      double: result.double,
      billed_nano: String(result.billedNanoUsd),
      receipt_nano: String(result.receiptNanoUsd),
      overspend_nano: String(result.overspendNanoUsd),
      answered: result.answered,
      unavailable: result.unavailable,
      republished: result.republished,
      resets: result.resets,
      seconds: result.durationSeconds,
      seed,
      findings: result.findings.length,
    }),
  );
  process.exit(result.findings.length === 0 ? 0 : 1);
} catch (error) {
  console.log(`NOT SO: ${(error as Error).stack}`);
  console.log(JSON.stringify({ seed, findings: 1 }));
  process.exit(1);
}

function wholeNumber(name: string, fallback: number): number {
  const given = process.env[name];
  if (given === undefined || given === '') return fallback;
  if (/^\d{1,10}$/.test(given)) return Number(given);
  console.error(`${name} must be a whole number, not '${given}'.`);
  process.exit(1);
}
