import {
  deliveryNumbersOf,
  deliverySettings,
  watchDeliveries,
} from '../audit/deliveries/watch-deliveries.ts';
import { keyUsesAtRest } from '../audit/books/key-uses-at-rest.ts';
import { numbersOf, openLedger, underAudit } from '../audit/books/under-audit.ts';
import { withInstallation } from '../parts/installation.ts';
import { killAtRandom } from '../parts/kill-at-random.ts';
import { startOcr } from '../parts/ocr.ts';
import type { Given } from '../perform.ts';

const parts = [
  'gateway',
  'routing',
  'routing',
  'ledger',
  'analytics',
  'observer',
  'nats',
  'postgres',
  'eventstore',
  'key',
  'account',
  'workspace',
  'guardrail',
  'sandbox',
] as const;

/** Matches the line that names the engine of the sandbox. */
const sandboxIsOn = /^Sandbox +(?! |off)/m;

/**
 * Kills any part at random while requests come. Then compares the ledger's books with the provider's, and the
 * generations that two destinations got with the ledger's.
 */
export async function everyPart({ settings, random, seed, say, seconds }: Given) {
  const kills = settings.wholeNumber('KILLS', 200);
  const requestsPerSecond = settings.wholeNumber('RPS', 300);
  await using ocr = await startOcr();
  const given = { ...ocr.settings, ...deliverySettings };
  return await withInstallation({ settings: given, say }, async (installation) => {
    await using deliveries = await watchDeliveries(installation);
    let killsOf: Readonly<Record<string, number>> = {};
    const auditing = { installation, requestsPerSecond, ocr, random: random.fork(), say };
    const audited = await underAudit(auditing, async (counts) => {
      const answered = () => counts.answered;
      killsOf = await killAtRandom({ installation, parts, kills, random, answered, say });
    });
    say('deliveries are compared');
    await using ledger = openLedger(installation);
    const delivered = await deliveries.audit(ledger.database);
    const uses = await keyUsesAtRest(installation);
    const { answered, refused, unavailable, failed, skipped, unserved, unpriced } = audited;
    const { commands } = audited;
    const counts = {
      answered,
      refused,
      unavailable,
      failed,
      skipped,
      unserved,
      unpriced,
      commands,
    };
    const looks = { cap_looks: audited.capLooks, conservation_looks: audited.conservationLooks };
    const details = { ...counts, ...looks, kills_of: killsOf, seconds: seconds(), seed };
    const killed = Object.values(killsOf).reduce((sum, count) => sum + count, 0);
    const hasSandbox = sandboxIsOn.test(installation.output());
    return {
      findings: [...audited.findings, ...delivered.findings, ...uses],
      details: [JSON.stringify(details)],
      numbers: { kills: killed, ...numbersOf(audited), ...deliveryNumbersOf(delivered) },
      audited,
      delivered,
      hasSandbox,
    };
  });
}
