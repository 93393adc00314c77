import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Bus, usageBundleFactsMax } from '@sluice/bus';
import { freePort, signalProcess, startServerProcess, suspendProcess } from '@sluice/embedded';
import { openDatabase, type Queryable } from '@sluice/read-model';
import { descendantsOf, statOf } from '@sluice/testing/process-stat';
import { choosePinning } from '../harness/machine/pinning.ts';
import type { Measure } from '../measure.ts';
import { withScratch } from '../scratch.ts';
import { startStores } from '../stores.ts';
import { besideMeasures, type Round } from './beside-figures.ts';
import { factNow } from './fact-now.ts';
import { publishFacts } from './publish-facts.ts';

export interface BesideBenchOptions {
  /** The bench removes its files again. */
  readonly folder: string;
  readonly onProgress: (line: string) => void;
}

const factsOfRound = 20_000;
const pairs = 7;
const warmUps = 2;
const lookMs = 20;
const programs = join(import.meta.dirname, '../../../../services');

/**
 * Measures the rate at which the ledger counts usage: alone, and while analytics counts as fast as it can. Both
 * take turns, because the ledger gets slower as its tables grow. Analytics with its connections to PostgreSQL has
 * a processor, and all else has the others, also this process from then on.
 */
export async function besideBench({
  folder,
  onProgress,
}: BesideBenchOptions): Promise<readonly Measure[]> {
  return await withScratch(folder, 'beside', async (scratch) => {
    await using stack = new AsyncDisposableStack();
    const parts = await startParts(scratch, stack, onProgress);
    for (let round = 0; round < warmUps; round += 1) await measureRound(parts);
    const alone: Round[] = [];
    const beside: Round[] = [];
    for (let pair = 0; pair < pairs; pair += 1) {
      alone.push(await measureAlone(parts));
      // Analytics has the facts of the round before, too: it never waits for others.
      beside.push(await measureRound(parts));
      onProgress(`the ledger alone: ${rateOf(alone)} facts/s; beside analytics: ${rateOf(beside)}`);
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
async function startParts(
  scratch: string,
  stack: AsyncDisposableStack,
  onProgress: (line: string) => void,
): Promise<Parts> {
  const { postgres, nats, bus } = await startStores(scratch, stack, onProgress);
  const address = `127.0.0.1:${await freePort()}`;
  const start = async (name: 'ledger' | 'analytics', rpcAddress: string) => {
    const running = await startServerProcess({
      name,
      command: process.execPath,
      args: [join(programs, name, 'src/main.ts')],
      env: {
        SLUICE_ADMIN_PORT: '0',
        SLUICE_POSTGRES_URL: postgres.url,
        SLUICE_NATS_URL: nats.url,
        SLUICE_NATS_TOKEN: nats.token,
        SLUICE_RPC_TOKEN: 'token-of-the-bench',
        SLUICE_RPC_ADDRESS: rpcAddress,
        SLUICE_LEDGER_ADDRESS: address,
        SLUICE_WORKSPACE_ADDRESS: address,
      },
      stopSignal: 'SIGTERM',
      readyPattern: /(?:ledger|analytics) serves/,
      onLog: () => undefined,
    });
    stack.defer(() => running.stop());
    return running.pid;
  };
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
  const counted = await countOf(ledger, 'fact_log', 'sum(facts)');
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
  const wanted = (await countOf(ledger, 'fact_log', 'sum(facts)')) + factsOfRound;
  const countedBefore = await countOf(analytics, 'facts', 'count(*)');
  const usedBefore = await processorMsOf(ledgerPid, ledger);
  const beganMs = performance.now();
  for (let from = 0; from < factsOfRound; from += usageBundleFactsMax) {
    const size = Math.min(usageBundleFactsMax, factsOfRound - from);
    const facts = Array.from({ length: size }, () => factNow(''));
    await publishFacts(bus, facts);
  }
  await until(async () => (await countOf(ledger, 'fact_log', 'sum(facts)')) >= wanted);
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
  const connections = await connectionsOf(ledger, 'ledger');
  const stats = await Promise.all([pid, ...connections].map(statOf));
  return stats.reduce((sum, stat) => sum + (stat?.cpuMs ?? 0), 0);
}

/** Returns the processes of the connections of a service to PostgreSQL, without the one that asks. */
async function connectionsOf(database: Queryable, schema: string): Promise<readonly number[]> {
  const connections = await database.query<{ pid: number }>({
    text: `SELECT pid FROM pg_stat_activity WHERE application_name = $1 AND pid <> pg_backend_pid()`,
    values: [`sluice.${schema}`],
  });
  return connections.map(({ pid }) => pid);
}

async function countOf(database: Queryable, table: string, count: string): Promise<number> {
  const text = `SELECT coalesce(${count}, 0)::bigint AS count FROM ${table}`;
  const [row] = await database.query<{ count: bigint }>({ text, values: [] });
  return Number(row?.count ?? 0);
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await delay(lookMs);
}
