import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Bus, connectBus, subjects, usageBundleFactsMax } from '@sluice/bus';
import {
  ensureNatsServer,
  freePort,
  startNats,
  startPostgres,
  startServerProcess,
} from '@sluice/embedded';
import { openDatabase, type Queryable } from '@sluice/read-model';
import { writeFact } from '@sluice/usage-facts';
import type { Measure } from '../measure.ts';
import { percentile } from '../percentile.ts';
import { withScratch } from '../scratch.ts';
import { factNow } from './fact-now.ts';
import { accountId } from './year-of-facts.ts';

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
    };
    await start('ledger', address);
    const tablesOf = (schema: string): Queryable => {
      const database = openDatabase({ url: postgres.url, schema, connectionsMax: 1 });
      stack.defer(() => database.stop());
      return database;
    };
    const [ledger, analytics] = [tablesOf('ledger'), tablesOf('analytics')];
    // The first round fills caches.
    const alone = (await roundsOf(bus, ledger, rounds + 1)).slice(1);
    onProgress(`the ledger alone: ${alone.map(Math.round).join(', ')} facts/s`);
    await start('analytics', '127.0.0.1:0');
    await until(async () => (await countOf(analytics, 'facts', 'count(*)')) >= factsOfRound * 4);
    const beside = await roundsOf(bus, ledger, rounds);
    onProgress(`beside analytics: ${beside.map(Math.round).join(', ')} facts/s`);
    return [measureOf(alone, beside)];
  });
}

function measureOf(alone: readonly number[], beside: readonly number[]): Measure {
  const [before, after] = [percentile(alone, 0.5), percentile(beside, 0.5)];
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

/** Returns how many facts the ledger counted per second in each of some rounds. */
async function roundsOf(bus: Bus, ledger: Queryable, count: number): Promise<readonly number[]> {
  const rates: number[] = [];
  for (let round = 0; round < count; round += 1) {
    const wanted = (await countOf(ledger, 'fact_log', 'sum(facts)')) + factsOfRound;
    const beganMs = performance.now();
    for (let from = 0; from < factsOfRound; from += usageBundleFactsMax) {
      const size = Math.min(usageBundleFactsMax, factsOfRound - from);
      const facts = Array.from({ length: size }, () => writeFact(factNow('')));
      await bus.publishFact(subjects.usageRecorded(accountId), randomUUID(), { facts });
    }
    await until(async () => (await countOf(ledger, 'fact_log', 'sum(facts)')) >= wanted);
    rates.push((factsOfRound * 1_000) / (performance.now() - beganMs));
  }
  return rates;
}

async function countOf(database: Queryable, table: string, count: string): Promise<number> {
  const text = `SELECT coalesce(${count}, 0)::bigint AS count FROM ${table}`;
  const [row] = await database.query<{ count: bigint }>({ text, values: [] });
  return Number(row?.count ?? 0);
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await delay(lookMs);
}
