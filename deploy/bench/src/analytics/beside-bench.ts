import { type Bus, usageBundleFactsMax } from '@sluice/bus';
import { freePort, signalProcess, suspendProcess } from '@sluice/embedded';
import { openDatabase, type Queryable } from '@sluice/read-model';
import { descendantsOf } from '@sluice/testing/process-stat';
import { choosePinning } from '../harness/machine/pinning.ts';
import { cpuMsOf } from '../harness/machine/process-figures.ts';
import type { Measure } from '../measure.ts';
import { showProgress } from '../program.ts';
import { withScratch } from '../scratch.ts';
import { countOf, factsCounted, startService, startStores, until } from '../stores.ts';
import { besideMeasures, type Round } from './beside-figures.ts';
import { factNow } from './fact-now.ts';
import { publishFacts } from './publish-facts.ts';

const factsOfRound = 20_000;
const pairs = 7;
const warmUps = 2;

/**
 * Measures the rate at which the ledger counts usage: alone, and while analytics counts as fast as it can. Both
 * take turns, because the ledger gets slower as its tables grow. Analytics with its connections to PostgreSQL has
 * a processor, and all else has the others, also this process from then on.
 */
export async function besideBench(): Promise<readonly Measure[]> {
  return await withScratch('beside', async (scratch) => {
    await using stack = new AsyncDisposableStack();
    const parts = await startParts(scratch, stack);
    for (let round = 0; round < warmUps; round += 1) await measureRound(parts);
    const alone: Round[] = [];
    const beside: Round[] = [];
    for (let pair = 0; pair < pairs; pair += 1) {
      alone.push(await measureAlone(parts));
      // Analytics has the facts of the round before, too: it never waits for others.
      beside.push(await measureRound(parts));
      const rates = `${rateOf(alone)} facts/s; beside analytics: ${rateOf(beside)}`;
      showProgress(`the ledger alone: ${rates}`);
    }
    alone.push(await measureAlone(parts));
    return besideMeasures({ alone, beside, isPinned: parts.isPinned });
  });
}

const rateOf = (rounds: readonly Round[]) => Math.round(rounds.at(-1)?.perSecond ?? 0);

/** The processes, and the ways to look at them. */
interface Parts {
  readonly bus: Bus;
  readonly ledger: Queryable;
  readonly analytics: Queryable;
  readonly ledgerPid: number;
  readonly analyticsPid: number;
  readonly isPinned: boolean;
  /** Puts analytics and its connections to PostgreSQL onto their processor. */
  readonly place: () => Promise<void>;
}

/** Starts the ledger, analytics, PostgreSQL and a broker. The stack stops them. */
async function startParts(scratch: string, stack: AsyncDisposableStack): Promise<Parts> {
  const stores = await startStores(scratch, stack);
  const { postgres, nats, bus } = stores;
  const address = `127.0.0.1:${await freePort()}`;
  const start = (name: 'ledger' | 'analytics', own: string) =>
    startService({ name, address: own, others: address }, stores, stack);
  const ledgerPid = await start('ledger', address);
  const analyticsPid = await start('analytics', '127.0.0.1:0');
  const tablesOf = (schema: string): Queryable => {
    const database = openDatabase({ url: postgres.url, schema, connectionsMax: 1 });
    stack.defer(() => database.stop());
    return database;
  };
  const [ledger, analytics] = [tablesOf('ledger'), tablesOf('analytics')];
  const pinning = await choosePinning();
  const servers = [ledgerPid, nats.pid, postgres.pid];
  await pinning.pin('load', [process.pid]);
  await pinning.pin('others', [...servers, ...(await descendantsOf(servers))]);
  const place = async () => {
    const connections = await connectionsOf(ledger, 'analytics');
    await pinning.pin('subject', [analyticsPid, ...connections]);
  };
  const isPinned = pinning.placement !== undefined;
  return { bus, ledger, analytics, ledgerPid, analyticsPid, isPinned, place };
}

/** Measures a round in which analytics is stopped. It goes on afterwards. */
async function measureAlone(parts: Parts): Promise<Round> {
  const { analytics, ledger, analyticsPid } = parts;
  const counted = await factsCounted(ledger);
  await until(async () => (await countOf(analytics, 'facts', 'count(*)')) >= counted);
  await suspendProcess(analyticsPid);
  const round = await measureRound(parts);
  signalProcess(analyticsPid, 'SIGCONT');
  return round;
}

/** Measures how the ledger counts some facts. */
async function measureRound(parts: Parts): Promise<Round> {
  const { bus, ledger, analytics, ledgerPid, place } = parts;
  await place();
  const wanted = (await factsCounted(ledger)) + factsOfRound;
  const countedBefore = await countOf(analytics, 'facts', 'count(*)');
  const usedBefore = await processorMsOf(ledgerPid, ledger);
  const beganMs = performance.now();
  for (let from = 0; from < factsOfRound; from += usageBundleFactsMax) {
    const size = Math.min(usageBundleFactsMax, factsOfRound - from);
    const facts = Array.from({ length: size }, () => factNow(''));
    await publishFacts(bus, facts);
  }
  await until(async () => (await factsCounted(ledger)) >= wanted);
  const seconds = (performance.now() - beganMs) / 1_000;
  const usedMs = (await processorMsOf(ledgerPid, ledger)) - usedBefore;
  const counted = (await countOf(analytics, 'facts', 'count(*)')) - countedBefore;
  return {
    perSecond: factsOfRound / seconds,
    microseconds: (usedMs * 1_000) / factsOfRound,
    countedByAnalytics: counted / seconds,
  };
}

/** Returns the processor time of the ledger. Its connections stay open for longer than the bench takes. */
async function processorMsOf(pid: number, ledger: Queryable): Promise<number> {
  return await cpuMsOf([pid, ...(await connectionsOf(ledger, 'ledger'))]);
}

/** Returns the processes of the connections of a service to PostgreSQL, without the one that asks. */
async function connectionsOf(database: Queryable, schema: string): Promise<readonly number[]> {
  const connections = await database.query<{ pid: number }>({
    text: `SELECT pid FROM pg_stat_activity WHERE application_name = $1 AND pid <> pg_backend_pid()`,
    values: [`sluice.${schema}`],
  });
  return connections.map(({ pid }) => pid);
}
