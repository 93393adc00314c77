import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Bus, connectBus, usageBundleFactsMax } from '@sluice/bus';
import {
  ensureNatsServer,
  freePort,
  startNats,
  startPostgres,
  startServerProcess,
} from '@sluice/embedded';
import { openDatabase, type Queryable } from '@sluice/read-model';
import { statOf } from '@sluice/testing/process-stat';
import { type Measure, shown } from '../measure.ts';
import { percentile } from '../percentile.ts';
import { withScratch } from '../scratch.ts';
import { factNow } from './fact-now.ts';
import { publishFacts } from './publish-facts.ts';

export interface BesideBenchOptions {
  /** The bench removes its files again. */
  readonly folder: string;
  readonly onProgress: (line: string) => void;
}

const factsOfRound = 10_000;
const rounds = 3;
const lookMs = 20;
/** With fewer processors, the two services, PostgreSQL and the broker wait for each other. */
const processorsMin = 4;
const slowerPercentMax = 5;
const programs = join(import.meta.dirname, '../../../../services');

/** Measures the rate at which the ledger counts usage: alone, and while analytics counts the same facts. */
export async function besideBench({
  folder,
  onProgress,
}: BesideBenchOptions): Promise<readonly Measure[]> {
  return await withScratch(folder, 'beside', async (scratch) => {
    await using stack = new AsyncDisposableStack();
    const onLog = () => undefined;
    const postgres = await startPostgres({ directory: join(scratch, 'postgres'), onLog });
    stack.defer(() => postgres.stop());
    const binary = await ensureNatsServer(process.env, onProgress);
    const nats = await startNats({ directory: join(scratch, 'nats'), binary, onLog });
    stack.defer(() => nats.stop());
    const logger = { debug: onLog, info: onLog, warn: onLog, error: onProgress };
    const bus = await connectBus({ url: nats.url, token: nats.token, name: 'bench', logger });
    stack.defer(() => bus.stop());
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
        onLog,
      });
      stack.defer(() => running.stop());
      return running;
    };
    const { pid } = await start('ledger', address);
    const tablesOf = (schema: string): Queryable => {
      const database = openDatabase({ url: postgres.url, schema, connectionsMax: 1 });
      stack.defer(() => database.stop());
      return database;
    };
    const [ledger, analytics] = [tablesOf('ledger'), tablesOf('analytics')];
    const counting = { bus, ledger, pid };
    // The first round fills caches.
    const alone = (await roundsOf(counting, rounds + 1)).slice(1);
    onProgress(`the ledger alone: ${ratesOf(alone)} facts/s`);
    await start('analytics', '127.0.0.1:0');
    await until(async () => (await countOf(analytics, 'facts', 'count(*)')) >= factsOfRound * 4);
    const beside = await roundsOf(counting, rounds);
    onProgress(`beside analytics: ${ratesOf(beside)} facts/s`);
    return [slowerOf(alone, beside), dearerOf(alone, beside)];
  });
}

const ratesOf = (found: readonly Round[]) =>
  found.map(({ perSecond }) => Math.round(perSecond)).join(', ');

function slowerOf(alone: readonly Round[], beside: readonly Round[]): Measure {
  const [before = 0, after = 0] = [alone, beside].map((found) =>
    percentile(
      found.map(({ perSecond }) => perSecond),
      0.5,
    ),
  );
  const processors = availableParallelism();
  return {
    name: 'the ledger counts slower while analytics counts the same facts',
    value: (1 - after / before) * 100,
    unit: '%',
    ...(processors >= processorsMin && {
      target: { kind: 'at most', value: slowerPercentMax } as const,
    }),
    note:
      `${Math.round(after).toLocaleString('en')} facts/s instead of ${Math.round(before).toLocaleString('en')}, ` +
      `as fast as it can, all on ${processors} processors` +
      (processors < processorsMin ? `; the target is for ${processorsMin} and more` : ''),
  };
}

/** With any number of processors: the processor time that analytics takes for itself is not in it. */
function dearerOf(alone: readonly Round[], beside: readonly Round[]): Measure {
  const [before = 0, after = 0] = [alone, beside].map((found) =>
    percentile(
      found.map(({ microseconds }) => microseconds),
      0.5,
    ),
  );
  return {
    name: 'processor time of the ledger a fact, more while analytics counts the same facts',
    value: (after / before - 1) * 100,
    unit: '%',
    note: `${shown(after)} µs instead of ${shown(before)} µs, of the service and its connections to PostgreSQL`,
  };
}

interface Round {
  readonly perSecond: number;
  /** Processor time a fact, of the ledger and of its connections to PostgreSQL. */
  readonly microseconds: number;
}

interface Counting {
  readonly bus: Bus;
  readonly ledger: Queryable;
  /** The process of the ledger. */
  readonly pid: number;
}

/** Measures how the ledger counts facts in each of some rounds. */
async function roundsOf({ bus, ledger, pid }: Counting, count: number): Promise<readonly Round[]> {
  const found: Round[] = [];
  for (let round = 0; round < count; round += 1) {
    const wanted = (await countOf(ledger, 'fact_log', 'sum(facts)')) + factsOfRound;
    const usedBefore = await processorMsOf(pid, ledger);
    const beganMs = performance.now();
    for (let from = 0; from < factsOfRound; from += usageBundleFactsMax) {
      const size = Math.min(usageBundleFactsMax, factsOfRound - from);
      const facts = Array.from({ length: size }, () => factNow(''));
      await publishFacts(bus, facts);
    }
    await until(async () => (await countOf(ledger, 'fact_log', 'sum(facts)')) >= wanted);
    const perSecond = (factsOfRound * 1_000) / (performance.now() - beganMs);
    const usedMs = (await processorMsOf(pid, ledger)) - usedBefore;
    found.push({ perSecond, microseconds: (usedMs * 1_000) / factsOfRound });
  }
  return found;
}

/** Returns the processor time of the ledger. Its connections stay open for longer than the bench takes. */
async function processorMsOf(pid: number, ledger: Queryable): Promise<number> {
  const connections = await ledger.query<{ pid: number }>({
    text: `SELECT pid FROM pg_stat_activity
      WHERE application_name = 'sluice.ledger' AND pid <> pg_backend_pid()`,
    values: [],
  });
  const stats = await Promise.all([pid, ...connections.map((one) => one.pid)].map(statOf));
  return stats.reduce((sum, stat) => sum + (stat?.cpuMs ?? 0), 0);
}

async function countOf(database: Queryable, table: string, count: string): Promise<number> {
  const text = `SELECT coalesce(${count}, 0)::bigint AS count FROM ${table}`;
  const [row] = await database.query<{ count: bigint }>({ text, values: [] });
  return Number(row?.count ?? 0);
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await delay(lookMs);
}
