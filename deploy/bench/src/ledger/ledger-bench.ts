import { type Bus, subjects, usageBundleFactsMax } from '@sluice/bus';
import { freePort } from '@sluice/embedded';
import { verifyLedger } from '@sluice/ledger/verification';
import { LedgerServiceService } from '@sluice/protos/sluice/ledger/v1/ledger';
import { openDatabase, type Queryable } from '@sluice/read-model';
import { rpcClient, type RpcClient } from '@sluice/rpc';
import { systemIds } from '@sluice/clock-and-ids';
import { descendantsOf } from '@sluice/testing/process-stat';
import { type UsageFact, writeFact } from '@sluice/usage-facts';
import { factNow } from '../analytics/fact-now.ts';
import { accountId } from '../analytics/year-of-facts.ts';
import { familyCpuMsOf } from '../harness/machine/process-figures.ts';
import { type Measure, measured } from '../measure.ts';
import { percentile } from '../percentile.ts';
import { showProgress } from '../program.ts';
import { withScratch } from '../scratch.ts';
import { factsCounted, rpcToken, startService, startStores, until } from '../stores.ts';
import { fill } from './fill.ts';

interface LedgerBenchOptions {
  /** The number of facts that are measured. */
  readonly facts: number;
  /** The number of facts of a year that the ledger has then, when it is measured again. 0: it is not. */
  readonly rows: number;
}

const warmFacts = 20_000;
/** So many facts wait in the stream at most. */
const waitingMax = 20_000;
const ratePercentMin = 80;
const questionsAsked = 100;
const verifySecondsMax = 60;
const dayMs = 86_400_000;
const fillTimeoutMs = 3_600_000;

/** Measures what it costs the ledger, PostgreSQL and the broker to count a fact, as fast as they can. */
export async function ledgerBench({
  facts,
  rows,
}: LedgerBenchOptions): Promise<readonly Measure[]> {
  return await withScratch('ledger', async (scratch) => {
    await using stack = new AsyncDisposableStack();
    const started = await startLedger(scratch, stack);
    showProgress(`${warmFacts} facts warm it up`);
    await countFacts(started, warmFacts);
    const empty = await costsOf(started, facts);
    const measures = measuresOf(empty);
    if (rows === 0) return measures;
    await fill(started.tables, rows);
    // The first ones after the filling find no page in memory.
    await countFacts(started, warmFacts);
    const filled = await costsOf(started, facts);
    return [
      ...measures,
      besideRows(empty, filled, rows),
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
  const seconds = (performance.now() - beganMs) / 1_000;
  return measured('ledger rebuild --verify --day', seconds, 's', {
    atMost: verifySecondsMax,
    note: `${facts} facts of the day`,
  });
}

interface Started {
  readonly postgresUrl: string;
  readonly bus: Bus;
  readonly tables: Queryable;
  readonly calls: RpcClient<LedgerServiceService>;
  readonly pids: Readonly<Record<Program, number>>;
}

async function startLedger(scratch: string, stack: AsyncDisposableStack): Promise<Started> {
  const stores = await startStores(scratch, stack);
  const { postgres, nats, bus } = stores;
  const address = `127.0.0.1:${await freePort()}`;
  const nobody = '127.0.0.1:1';
  const ledgerPid = await startService({ name: 'ledger', address, others: nobody }, stores, stack);
  const tables = openDatabase({
    url: postgres.url,
    schema: 'ledger',
    connectionsMax: 1,
    statementTimeoutMs: fillTimeoutMs,
  });
  stack.defer(() => tables.stop());
  const calls = rpcClient(LedgerServiceService, {
    address,
    token: rpcToken,
    deadlineMs: 30_000,
  });
  stack.defer(() => {
    calls.close();
  });
  const pids = { postgres: postgres.pid, ledger: ledgerPid, broker: nats.pid };
  return { postgresUrl: postgres.url, bus, tables, calls, pids };
}

/** The costs of one fact. */
interface Costs {
  readonly ratePerSecond: number;
  readonly cpuUs: Readonly<Record<Program, number>>;
  readonly walBytes: number;
  readonly storedBytes: number;
}

async function costsOf(started: Started, facts: number): Promise<Costs> {
  const { pids, tables } = started;
  const [before, beganMs] = [await usedBy(pids, tables), performance.now()];
  showProgress(`${facts} facts are counted`);
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
    cpuMs[name] = await familyCpuMsOf([pids[name], ...(await descendantsOf([pids[name]]))]);
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

function measuresOf({ ratePerSecond, cpuUs, walBytes, storedBytes }: Costs): readonly Measure[] {
  return [
    measured('facts counted a second', ratePerSecond, '/s'),
    measured('processor time of PostgreSQL a fact', cpuUs.postgres, 'µs'),
    measured('processor time of the ledger a fact', cpuUs.ledger, 'µs'),
    measured('processor time of the broker a fact', cpuUs.broker, 'µs'),
    measured('write-ahead log a fact', walBytes, 'B'),
    measured('stored a fact', storedBytes, 'B'),
  ];
}

function besideRows(empty: Costs, filled: Costs, rows: number): Measure {
  const name = `rate with ${rows.toLocaleString('en')} facts, of that of an empty ledger`;
  return measured(name, (filled.ratePerSecond / empty.ratePerSecond) * 100, '%', {
    atLeast: ratePercentMin,
    note: `PostgreSQL ${filled.cpuUs.postgres.toFixed(0)} µs a fact, log ${filled.walBytes.toFixed(0)} B`,
  });
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
    measures.push(measured(name, percentile(tookMs, 0.95), 'ms', { atMost: msMax }));
  }
  return measures;
}

/** Publishes so many facts, and waits until the ledger has counted them. */
async function countFacts({ bus, tables }: Started, facts: number): Promise<void> {
  const first = await factsCounted(tables);
  for (let from = 0; from < facts; from += usageBundleFactsMax) {
    const size = Math.min(usageBundleFactsMax, facts - from);
    const written = Array.from({ length: size }, () => writeFact(timedFact()));
    await bus.publishFact(subjects.usageRecorded(accountId), systemIds.next(), { facts: written });
    await until(async () => first + from - (await factsCounted(tables)) < waitingMax);
  }
  await until(async () => (await factsCounted(tables)) >= first + facts);
}

/** Returns a fact of this moment with an id like those of routing, which are ordered by time. */
function timedFact(): UsageFact {
  const generationId = `gen-${systemIds.next()}`;
  return { ...factNow(''), generationId, usageId: `${generationId}/1/1` };
}
