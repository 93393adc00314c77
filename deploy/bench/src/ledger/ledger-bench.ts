import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Bus, subjects, usageBundleFactsMax } from '@sluice/bus';
import { freePort, startServerProcess } from '@sluice/embedded';
import { verifyLedger } from '@sluice/ledger/verification';
import { LedgerServiceService } from '@sluice/protos/sluice/ledger/v1/ledger';
import { openDatabase, type Queryable } from '@sluice/read-model';
import { rpcClient, type RpcClient } from '@sluice/rpc';
import { systemIds } from '@sluice/clock-and-ids';
import { type UsageFact, writeFact } from '@sluice/usage-facts';
import { factNow } from '../analytics/fact-now.ts';
import { accountId } from '../analytics/year-of-facts.ts';
import { familyCpuMsOf } from '../harness/machine/process-figures.ts';
import type { Measure } from '../measure.ts';
import { withScratch } from '../scratch.ts';
import { percentile } from '../percentile.ts';
import { startStores } from '../stores.ts';
import { fill } from './fill.ts';

export interface LedgerBenchOptions {
  /** The bench removes its files again. */
  readonly folder: string;
  /** The number of facts that are measured. */
  readonly facts: number;
  /** The number of facts of a year that the ledger has then, when it is measured again. 0: it is not. */
  readonly rows: number;
  readonly onProgress: (line: string) => void;
}

const lookMs = 20;
const warmFacts = 20_000;
/** So many facts wait in the stream at most. */
const waitingMax = 20_000;
const ratePercentMin = 80;
const questionsAsked = 100;
const verifySecondsMax = 60;
const dayMs = 86_400_000;
const fillTimeoutMs = 3_600_000;
const program = join(import.meta.dirname, '../../../../services/ledger/src/main.ts');

/** Measures what it costs the ledger, PostgreSQL and the broker to count a fact, as fast as they can. */
export async function ledgerBench(options: LedgerBenchOptions): Promise<readonly Measure[]> {
  const { folder, onProgress } = options;
  return await withScratch(folder, 'ledger', async (scratch) => {
    await using stack = new AsyncDisposableStack();
    const started = await startLedger(scratch, stack, onProgress);
    onProgress(`${warmFacts} facts warm it up`);
    await countFacts(started, warmFacts);
    const empty = await costsOf(started, options);
    const measures = measuresOf(empty);
    if (options.rows === 0) return measures;
    await fill(started.tables, options.rows, onProgress);
    // The first ones after the filling find no page in memory.
    await countFacts(started, warmFacts);
    const filled = await costsOf(started, options);
    return [
      ...measures,
      ...besideRows(empty, filled, options.rows),
      ...(await questionsTo(started)),
      await verificationOf(started),
    ];
  });
}

/** Verifies the facts of a day in the middle of the year. */
async function verificationOf({ postgresUrl }: Started): Promise<Measure> {
  const day = new Date(Date.now() - 180 * dayMs).toISOString().slice(0, 10);
  const beganMs = performance.now();
  const { facts } = await verifyLedger({ postgresUrl, day });
  return {
    name: 'ledger rebuild --verify --day',
    value: (performance.now() - beganMs) / 1_000,
    unit: 's',
    target: { kind: 'at most', value: verifySecondsMax },
    note: `${facts} facts of the day`,
  };
}

interface Started {
  readonly postgresUrl: string;
  readonly bus: Bus;
  readonly tables: Queryable;
  readonly calls: RpcClient<LedgerServiceService>;
  readonly pids: Readonly<Record<Program, number>>;
}

async function startLedger(
  scratch: string,
  stack: AsyncDisposableStack,
  onProgress: (line: string) => void,
): Promise<Started> {
  const { postgres, nats, bus } = await startStores(scratch, stack, onProgress);
  const address = `127.0.0.1:${await freePort()}`;
  const token = 'token-of-the-bench';
  const ledger = await startServerProcess({
    name: 'ledger',
    command: process.execPath,
    args: [program],
    env: {
      SLUICE_ADMIN_PORT: '0',
      SLUICE_POSTGRES_URL: postgres.url,
      SLUICE_NATS_URL: nats.url,
      SLUICE_NATS_TOKEN: nats.token,
      SLUICE_RPC_TOKEN: token,
      SLUICE_RPC_ADDRESS: address,
      SLUICE_WORKSPACE_ADDRESS: '127.0.0.1:1',
    },
    stopSignal: 'SIGTERM',
    readyPattern: /ledger serves/,
    onLog: () => undefined,
  });
  stack.defer(() => ledger.stop());
  const tables = openDatabase({
    url: postgres.url,
    schema: 'ledger',
    connectionsMax: 1,
    statementTimeoutMs: fillTimeoutMs,
  });
  stack.defer(() => tables.stop());
  const calls = rpcClient(LedgerServiceService, { address, token, deadlineMs: 30_000 });
  stack.defer(() => {
    calls.close();
  });
  const pids = { postgres: postgres.pid, ledger: ledger.pid, broker: nats.pid };
  return { postgresUrl: postgres.url, bus, tables, calls, pids };
}

/** The costs of one fact. */
interface Costs {
  readonly ratePerSecond: number;
  readonly cpuUs: Readonly<Record<Program, number>>;
  readonly walBytes: number;
  readonly storedBytes: number;
}

async function costsOf(
  started: Started,
  { facts, onProgress }: LedgerBenchOptions,
): Promise<Costs> {
  const { pids, tables } = started;
  const [before, beganMs] = [await usedBy(pids, tables), performance.now()];
  onProgress(`${facts} facts are counted`);
  await countFacts(started, facts);
  const seconds = (performance.now() - beganMs) / 1_000;
  const after = await usedBy(pids, tables);
  const cpuUs = (name: Program) => ((after.cpuMs[name] - before.cpuMs[name]) * 1_000) / facts;
  return {
    ratePerSecond: facts / seconds,
    cpuUs: { postgres: cpuUs('postgres'), ledger: cpuUs('ledger'), broker: cpuUs('broker') },
    walBytes: (after.walBytes - before.walBytes) / facts,
    storedBytes: (after.storedBytes - before.storedBytes) / facts,
  };
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

function measuresOf({ ratePerSecond, cpuUs, walBytes, storedBytes }: Costs): readonly Measure[] {
  return [
    { name: 'facts counted a second', value: ratePerSecond, unit: '/s' },
    { name: 'processor time of PostgreSQL a fact', value: cpuUs.postgres, unit: 'µs' },
    { name: 'processor time of the ledger a fact', value: cpuUs.ledger, unit: 'µs' },
    { name: 'processor time of the broker a fact', value: cpuUs.broker, unit: 'µs' },
    { name: 'write-ahead log a fact', value: walBytes, unit: 'B' },
    { name: 'stored a fact', value: storedBytes, unit: 'B' },
  ];
}

function besideRows(empty: Costs, filled: Costs, rows: number): readonly Measure[] {
  return [
    {
      name: `rate with ${rows.toLocaleString('en')} facts, of that of an empty ledger`,
      value: (filled.ratePerSecond / empty.ratePerSecond) * 100,
      unit: '%',
      target: { kind: 'at least', value: ratePercentMin },
      note: `PostgreSQL ${filled.cpuUs.postgres.toFixed(0)} µs a fact, log ${filled.walBytes.toFixed(0)} B`,
    },
  ];
}

/** Asks what `GET /credits` and `GET /activity` ask. */
async function questionsTo({ calls }: Started): Promise<readonly Measure[]> {
  const today = new Date();
  const toDay = today.toISOString().slice(0, 10);
  const fromDay = new Date(today.getTime() - 30 * dayMs).toISOString().slice(0, 10);
  const activity = { accountId, fromDay, toDay, byWorkspace: false, byApp: false, offset: 0 };
  const questions = [
    ['GET /credits, p95', 50, () => calls.getCredits({ accountId })],
    ['GET /activity of 31 days, p95', 200, () => calls.listActivity(activity)],
  ] as const;
  const measures: Measure[] = [];
  for (const [name, msMax, ask] of questions) {
    const tookMs: number[] = [];
    for (let time = 0; time < questionsAsked; time += 1) {
      const beganMs = performance.now();
      await ask();
      tookMs.push(performance.now() - beganMs);
    }
    const target = { kind: 'at most', value: msMax } as const;
    measures.push({ name, value: percentile(tookMs, 0.95), unit: 'ms', target });
  }
  return measures;
}

/** Publishes so many facts, and waits until the ledger has counted them. */
async function countFacts({ bus, tables }: Started, facts: number): Promise<void> {
  const first = await countedBy(tables);
  for (let from = 0; from < facts; from += usageBundleFactsMax) {
    const size = Math.min(usageBundleFactsMax, facts - from);
    const written = Array.from({ length: size }, () => writeFact(timedFact()));
    await bus.publishFact(subjects.usageRecorded(accountId), systemIds.next(), { facts: written });
    await until(async () => first + from - (await countedBy(tables)) < waitingMax);
  }
  await until(async () => (await countedBy(tables)) >= first + facts);
}

/** Returns a fact of this moment with an id like those of routing, which are ordered by time. */
function timedFact(): UsageFact {
  const generationId = `gen-${systemIds.next()}`;
  return { ...factNow(''), generationId, usageId: `${generationId}/1/1` };
}

async function countedBy(tables: Queryable): Promise<number> {
  const text = 'SELECT coalesce(sum(facts), 0)::bigint AS count FROM fact_log';
  const [row] = await tables.query<{ count: bigint }>({ text, values: [] });
  return Number(row?.count ?? 0n);
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await delay(lookMs);
}
