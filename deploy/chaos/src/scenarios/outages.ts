import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '@sluice/patience';
import {
  deliveryNumbersOf,
  deliverySettings,
  watchDeliveries,
} from '../audit/deliveries/watch-deliveries.ts';
import { askConservation } from '../audit/books/conservation.ts';
import { numbersOf, openLedger, underAudit } from '../audit/books/under-audit.ts';
import type { RequestCounts } from '../load/requests.ts';
import { startBadNetwork } from '../parts/bad-network.ts';
import { type Broker, startBroker } from '../parts/broker.ts';
import { type Installation, withInstallation } from '../parts/installation.ts';
import { type Back, type How, takeAway } from '../parts/outage.ts';
import { startRepublisher } from '../parts/republisher.ts';
import type { Given } from '../perform.ts';
import { untilMore } from '../waiting.ts';

/** A forgetful broker comes last: keys that are asked for anew after it need PostgreSQL. */
const outageNames = [
  'ledger frozen',
  'postgres frozen',
  'nats frozen',
  'ledger killed',
  'postgres killed',
  'nats killed',
  'nats forgetful',
] as const;
type OutageName = (typeof outageNames)[number];

const workingAnswers = 30;

/**
 * Takes one part after the other away while requests come, and compares the ledger's books with the provider's, and
 * deliveries with the ledger.
 * Meanwhile the network to the broker is bad, and usage facts arrive twice, late and out of order.
 */
export async function outages({ settings, random, seed, folder, say, seconds }: Given) {
  const names = settings.names('OUTAGES', outageNames);
  const outageSeconds = settings.wholeNumber('OUTAGE_SECONDS', 30);
  const requestsPerSecond = settings.wholeNumber('RPS', 30);
  await using broker = await startBroker(join(folder, 'broker'));
  await using network = await startBadNetwork(broker.port, random.fork());
  await using republisher = await startRepublisher(broker, random.fork());
  const overNetwork = { ...broker.settings(network.port), ...deliverySettings };
  return await withInstallation({ settings: overNetwork, say }, async (installation) => {
    await using deliveries = await watchDeliveries(installation);
    const found: string[] = [];
    const auditing = { installation, requestsPerSecond, random: random.fork(), say };
    const audited = await underAudit({ ...auditing, isUnlimited: true }, async (counts) => {
      for (const name of names) {
        await untilWell(installation, counts);
        found.push(
          ...(await goThrough(name, { installation, broker, counts, outageSeconds, say })),
        );
      }
    });
    say('deliveries are compared');
    await using ledger = openLedger(installation);
    // A forgetful broker takes deliveries that the observer had not read.
    const mayMiss = names.includes('nats forgetful');
    const delivered = await deliveries.audit(ledger.database, { mayMiss });
    const { republished } = republisher.counts;
    if (audited.unavailableForEver > 0) found.push('a 503 did not say when to come again');
    if (republished === 0) found.push('nothing was published twice: this shows nothing');
    const findings = [...audited.findings, ...delivered.findings, ...found];
    const numbers = {
      outages: names.length,
      ...numbersOf(audited),
      ...deliveryNumbersOf(delivered),
      answered: audited.answered,
      unavailable: audited.unavailable,
      republished,
      resets: network.faults.resets,
      seconds: seconds(),
      seed,
      findings: findings.length,
    };
    return { findings, numbers };
  });
}

interface Going {
  readonly installation: Installation;
  readonly broker: Broker;
  readonly counts: Readonly<RequestCounts>;
  readonly outageSeconds: number;
  readonly say: (line: string) => void;
}

/**
 * Goes through one outage. It lasts until requests were answered that came while the part was away. A slow machine
 * takes longer for them, and sheds some: that alone is no finding.
 */
async function goThrough(name: OutageName, going: Going): Promise<readonly string[]> {
  const { counts, outageSeconds, say } = going;
  const before = { ...counts };
  const findings: string[] = [];
  const back = await away(name, going);
  // Without the ledger requests go on until leases end. All other outages must leave them alone to the end.
  if (name.startsWith('ledger')) await progress(1);
  await delay(outageSeconds * 1_000);
  if (!name.startsWith('ledger')) await progress(workingAnswers);
  const during = { ...counts };
  const endedMs = performance.now();
  await back();
  await untilMore(() => counts.answered, workingAnswers, 'answers');
  const recoveryMs = Math.round(performance.now() - endedMs);
  const failed = during.failed - before.failed;
  const because = `told so far: ${JSON.stringify(counts.because)}`;
  if (failed > 0)
    findings.push(`${name}: ${failed} requests failed other than by a 503; ${because}`);
  say(
    `${name} for ${outageSeconds} s: ${during.answered - before.answered} answered, ` +
      `${during.unavailable - before.unavailable} told to come again, ${failed} failed; ` +
      `all well after ${recoveryMs} ms; ${because}`,
  );
  return findings;

  async function progress(more: number): Promise<void> {
    const waiting = untilMore(() => counts.answered, more, 'answers');
    await waiting.catch((error: Error) => findings.push(`${name}: ${error.message}`));
  }
}

async function away(name: OutageName, { installation, broker }: Going): Promise<Back> {
  const [part, how] = name.split(' ');
  if (part === 'nats') return await broker.takeAway(how as How | 'forgetful');
  return await takeAway(installation, part as 'ledger' | 'postgres', how as How);
}

/**
 * Waits for the ledger, which requests with leases do not need: one that is still on its way back from an outage cannot
 * start in the next one, and nothing would be learned of that.
 */
async function untilWell(
  installation: Installation,
  counts: Readonly<RequestCounts>,
): Promise<void> {
  await until(() => askConservation(installation));
  await untilMore(() => counts.answered, workingAnswers, 'answers');
}
