import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Bus, subjects, usageBundleFactsMax } from '@sluice/bus';
import { startServerProcess } from '@sluice/embedded';
import { openDatabase, type Queryable } from '@sluice/read-model';
import { writeFact } from '@sluice/usage-facts';
import { factNow } from '../analytics/fact-now.ts';
import { accountId } from '../analytics/year-of-facts.ts';
import { familyCpuMsOf } from '../harness/machine/process-figures.ts';
import type { Measure } from '../measure.ts';
import { withScratch } from '../scratch.ts';
import { startStores } from '../stores.ts';

export interface LedgerBenchOptions {
  /** The bench removes its files again. */
  readonly folder: string;
  /** The number of facts that are measured. */
  readonly facts: number;
  readonly onProgress: (line: string) => void;
}

const lookMs = 20;
const warmFacts = 20_000;
/** So many facts wait in the stream at most. */
const waitingMax = 20_000;
const program = join(import.meta.dirname, '../../../../services/ledger/src/main.ts');

/** Measures what it costs the ledger, PostgreSQL and the broker to count a fact, as fast as they can. */
export async function ledgerBench(options: LedgerBenchOptions): Promise<readonly Measure[]> {
  const { folder, facts, onProgress } = options;
  return await withScratch(folder, 'ledger', async (scratch) => {
    await using stack = new AsyncDisposableStack();
    const { postgres, nats, bus } = await startStores(scratch, stack, onProgress);
    const ledger = await startServerProcess({
      name: 'ledger',
      command: process.execPath,
      args: [program],
      env: {
        SLUICE_ADMIN_PORT: '0',
        SLUICE_POSTGRES_URL: postgres.url,
        SLUICE_NATS_URL: nats.url,
        SLUICE_NATS_TOKEN: nats.token,
        SLUICE_RPC_TOKEN: 'token-of-the-bench',
        SLUICE_RPC_ADDRESS: '127.0.0.1:0',
        SLUICE_WORKSPACE_ADDRESS: '127.0.0.1:1',
      },
      stopSignal: 'SIGTERM',
      readyPattern: /ledger serves/,
      onLog: () => undefined,
    });
    stack.defer(() => ledger.stop());
    const tables = openDatabase({ url: postgres.url, schema: 'ledger', connectionsMax: 1 });
    stack.defer(() => tables.stop());
    onProgress(`${warmFacts} facts warm it up`);
    await countFacts(bus, tables, warmFacts);
    const pids = { postgres: postgres.pid, ledger: ledger.pid, broker: nats.pid };
    const [before, beganMs] = [await usedBy(pids, tables), performance.now()];
    onProgress(`${facts} facts are counted`);
    await countFacts(bus, tables, facts);
    const seconds = (performance.now() - beganMs) / 1_000;
    return measuresOf(before, await usedBy(pids, tables), { facts, seconds });
  });
}

interface Used {
  readonly cpuMs: Readonly<Record<Program, number>>;
  readonly walBytes: number;
  readonly storedBytes: number;
}
type Program = 'postgres' | 'ledger' | 'broker';

async function usedBy(pids: Readonly<Record<Program, number>>, tables: Queryable): Promise<Used> {
  const cpuMs = { postgres: 0, ledger: 0, broker: 0 };
  for (const name of ['postgres', 'ledger', 'broker'] as const)
    cpuMs[name] = await familyCpuMsOf(await familyOf(pids[name]));
  const [sizes] = await tables.query<{ wal: bigint; stored: bigint }>({
    text: `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint AS wal,
      (SELECT sum(pg_total_relation_size(oid))::bigint FROM pg_class
       WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace) AS stored`,
    values: [],
  });
  return {
    cpuMs,
    walBytes: Number(sizes?.wal ?? 0n),
    storedBytes: Number(sizes?.stored ?? 0n),
  };
}

/** A process and its children: PostgreSQL has one per connection. */
async function familyOf(pid: number): Promise<readonly number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return [pid, ...children.split(' ').filter(Boolean).map(Number)];
}

function measuresOf(
  before: Used,
  after: Used,
  { facts, seconds }: { readonly facts: number; readonly seconds: number },
): readonly Measure[] {
  const cpuUs = (name: Program) => ((after.cpuMs[name] - before.cpuMs[name]) * 1_000) / facts;
  return [
    { name: 'facts counted a second', value: facts / seconds, unit: '/s' },
    { name: 'processor time of PostgreSQL a fact', value: cpuUs('postgres'), unit: 'µs' },
    { name: 'processor time of the ledger a fact', value: cpuUs('ledger'), unit: 'µs' },
    { name: 'processor time of the broker a fact', value: cpuUs('broker'), unit: 'µs' },
    {
      name: 'write-ahead log a fact',
      value: (after.walBytes - before.walBytes) / facts,
      unit: 'B',
    },
    { name: 'stored a fact', value: (after.storedBytes - before.storedBytes) / facts, unit: 'B' },
  ];
}

/** Publishes so many facts, and waits until the ledger has counted them. */
async function countFacts(bus: Bus, tables: Queryable, facts: number): Promise<void> {
  const first = await countedBy(tables);
  for (let from = 0; from < facts; from += usageBundleFactsMax) {
    const size = Math.min(usageBundleFactsMax, facts - from);
    const written = Array.from({ length: size }, () => writeFact(factNow('')));
    await bus.publishFact(subjects.usageRecorded(accountId), randomUUID(), { facts: written });
    await until(async () => first + from - (await countedBy(tables)) < waitingMax);
  }
  await until(async () => (await countedBy(tables)) >= first + facts);
}

async function countedBy(tables: Queryable): Promise<number> {
  const text = 'SELECT coalesce(sum(facts), 0)::bigint AS count FROM fact_log';
  const [row] = await tables.query<{ count: bigint }>({ text, values: [] });
  return Number(row?.count ?? 0n);
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await delay(lookMs);
}
