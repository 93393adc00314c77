import { randomInt } from 'node:crypto';
import { usageTest } from './usage-test.ts';

/** `KILLS=200 RPS=300 SEED=1 npm run chaos`. The last line is JSON; the exit code is 0 only when all holds. */
const findingsShownMax = 20;
const kills = wholeNumber('KILLS', 200);
const requestsPerSecond = wholeNumber('RPS', 300);
const seed = wholeNumber('SEED', randomInt(2 ** 32));
try {
  const result = await usageTest({ kills, requestsPerSecond, seed, onProgress: console.log });
  for (const finding of result.findings.slice(0, findingsShownMax))
    console.log(`NOT SO: ${finding}`);
  const { answered, refused, unavailable, failed, skipped, unserved, unpriced } = result;
  const looks = {
    cap_looks: result.capLooks,
    conservation_looks: result.conservationLooks,
    kills_of: result.killsOf,
    seconds: result.durationSeconds,
    seed,
  };
  console.log(
    JSON.stringify({
      answered,
      refused,
      unavailable,
      failed,
      skipped,
      unserved,
      unpriced,
      ...looks,
    }),
  );
  end(result.findings.length === 0, {
    kills: result.kills,
    requests: result.requests,
    receipts: result.receipts,
    usage_rows: result.usageRows,
    lost: result.lost,
    double: result.double,
    customers_nano: String(result.customersNanoUsd),
    billed_nano: String(result.billedNanoUsd),
    receipt_nano: String(result.receiptNanoUsd),
    overspend_nano: String(result.overspendNanoUsd),
  });
} catch (error) {
  console.log(`NOT SO: ${(error as Error).stack}`);
  end(false, { seed });
}

function end(ok: boolean, result: Readonly<Record<string, unknown>>): never {
  console.log(JSON.stringify(result));
  process.exit(ok ? 0 : 1);
}

function wholeNumber(name: string, fallback: number): number {
  const given = process.env[name];
  if (given === undefined || given === '') return fallback;
  if (/^\d{1,10}$/.test(given)) return Number(given);
  console.error(`${name} must be a whole number, not '${given}'.`);
  process.exit(1);
}
