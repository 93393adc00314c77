import { join } from 'node:path';
import { type AskedQuestion, parseQuestion } from '@sluice/analytics-model';
import { rowOfFact } from '@sluice/analytics/count-fact';
import { PostgresStore } from '@sluice/analytics/postgres-store';
import { analyticsSchema } from '@sluice/analytics/schema';
import { startPostgres } from '@sluice/embedded';
import { migrate, openDatabase } from '@sluice/read-model';
import { descendantsOf, statOf } from '@sluice/testing/process-stat';
import { type Measure, shown } from '../measure.ts';
import { percentile } from '../percentile.ts';
import { withScratch } from '../scratch.ts';
import { ofMinutes, ofMonth, ofYear } from './questions.ts';
import { sizesOf, type TableSize } from './tables.ts';
import { accountId, type Spread, YearOfFacts } from './year-of-facts.ts';

export interface AnalyticsBenchOptions {
  /** The bench removes its files again. */
  readonly folder: string;
  readonly rows: number;
  readonly spread: Spread;
  readonly onProgress: (line: string) => void;
}

const dayMs = 86_400_000;
const days = 365;
const nowMs = Date.parse('2026-11-18T20:34:56.000Z');
const retention = { factDays: 31, hourDays: 62, dayDays: 400 };
/** The service has so many facts in a transaction. */
const batchMax = 2_000;
const runs = 20;
const pairRuns = 3;

/** Holds the figures of one size. */
interface Figures {
  readonly rows: number;
  readonly perSecond: number;
  readonly ownMicroseconds: number;
  readonly postgresMicroseconds: number;
  readonly sizes: readonly TableSize[];
  readonly yearMs: readonly number[];
  readonly monthMs: readonly number[];
  readonly slowestPair: string;
  readonly minutesMs: readonly number[];
}

/**
 * Measures the store of analytics: a year of facts is counted as the service counts it, day by day with what it drops,
 * and questions are asked. A tenth of the facts goes first, to show what grows with their number.
 */
export async function analyticsBench(options: AnalyticsBenchOptions): Promise<readonly Measure[]> {
  const tenth = await measureSize({ ...options, rows: Math.ceil(options.rows / 10) });
  const whole = await measureSize(options);
  return [...measuresOf(whole), ...slopesOf(tenth, whole)];
}

async function measureSize(options: AnalyticsBenchOptions): Promise<Figures> {
  return await withScratch(options.folder, 'analytics', async (scratch) => {
    const directory = join(scratch, 'postgres');
    const postgres = await startPostgres({ directory, onLog: () => undefined });
    const database = openDatabase({ url: postgres.url, schema: 'analytics', connectionsMax: 4 });
    try {
      await migrate(database, analyticsSchema.migrations);
      const store = new PostgresStore({ database, questions: database, retention });
      const filled = await fill(options, store, postgres.pid);
      await database.query({ text: 'VACUUM ANALYZE', values: [] });
      const sizes = await sizesOf(database);
      return { rows: options.rows, ...filled, sizes, ...(await askAll(options, store)) };
    } finally {
      await database.stop();
      await postgres.stop();
    }
  });
}

/** Counts a year of facts, a day after the other, and drops what is old at the end of each day. */
async function fill(
  { rows, spread, onProgress }: AnalyticsBenchOptions,
  store: PostgresStore,
  pid: number,
) {
  const year = new YearOfFacts(spread);
  const lastDayMs = Math.floor(nowMs / dayMs) * dayMs;
  await store.begin(new Date(lastDayMs - (days - 1) * dayMs));
  const before = await processorMsOf(pid);
  let [ownMs, elapsedMs, done] = [0, 0, 0];
  for (let day = 0; day < days; day += 1) {
    const dayStartMs = lastDayMs - (days - 1 - day) * dayMs;
    const wanted = Math.round((rows * (day + 1)) / days) - done;
    const facts = year.during(dayStartMs, Math.min(dayMs, nowMs - dayStartMs), wanted);
    const beganMs = performance.now();
    const ownBefore = process.cpuUsage();
    for (let from = 0; from < facts.length; from += batchMax) {
      const some = facts.slice(from, from + batchMax).map((fact) => rowOfFact(fact));
      const changes = some.flatMap((after) => (after ? [{ before: undefined, after }] : []));
      await store.apply(changes, { kind: 'bus' });
    }
    const own = process.cpuUsage(ownBefore);
    ownMs += (own.user + own.system) / 1_000;
    elapsedMs += performance.now() - beganMs;
    done += facts.length;
    const today = new Date(Math.min(nowMs, dayStartMs + dayMs - 1));
    await store.ledgerIsRead(today);
    await store.retain(today);
    if (day % 30 === 29)
      onProgress(`${done.toLocaleString('en')} of ${rows.toLocaleString('en')} facts`);
  }
  const postgresMs = (await processorMsOf(pid)) - before;
  return {
    perSecond: (done * 1_000) / elapsedMs,
    ownMicroseconds: (ownMs * 1_000) / done,
    postgresMicroseconds: (postgresMs * 1_000) / done,
  };
}

/** Returns the processor time of a server and of its processes, also of those that have ended. */
async function processorMsOf(pid: number): Promise<number> {
  const stats = await Promise.all([pid, ...(await descendantsOf([pid]))].map(statOf));
  return stats.reduce((sum, stat) => sum + (stat?.cpuMs ?? 0) + (stat?.endedChildrenCpuMs ?? 0), 0);
}

async function askAll({ onProgress }: AnalyticsBenchOptions, store: PostgresStore) {
  onProgress('questions');
  const yearMs = await timesOf(store, ofYear(nowMs), runs);
  const minutesMs = await timesOf(store, ofMinutes(nowMs), runs);
  const pairs: (readonly [string, readonly number[]])[] = [];
  for (const asked of ofMonth(nowMs))
    pairs.push([(asked.dimensions ?? []).join(' and '), await timesOf(store, asked, pairRuns)]);
  const slowest = pairs.toSorted(
    ([, one], [, other]) => percentile(other, 0.5) - percentile(one, 0.5),
  )[0];
  const [name = '', times = []] = slowest ?? [];
  const slowestPair = `slowest: ${name}, ${shown(percentile(times, 0.5))} ms`;
  return { yearMs, minutesMs, monthMs: pairs.flatMap(([, each]) => each), slowestPair };
}

/** Returns how long each of so many answers took, after a first one that fills caches. */
async function timesOf(
  store: PostgresStore,
  asked: AskedQuestion,
  count: number,
): Promise<readonly number[]> {
  const parsed = parseQuestion(asked, new Date(nowMs));
  if ('issues' in parsed) throw new Error(JSON.stringify(parsed.issues));
  const times: number[] = [];
  for (let run = 0; run <= count; run += 1) {
    const beganMs = performance.now();
    const { rows } = await store.answer(accountId, parsed.question);
    if (rows.length === 0) throw new Error(`nothing was found: ${JSON.stringify(asked)}`);
    if (run > 0) times.push(performance.now() - beganMs);
  }
  return times;
}

const bytesOf = (sizes: readonly TableSize[]) =>
  sizes.reduce((sum, { tableBytes, indexBytes }) => sum + tableBytes + indexBytes, 0);

function measuresOf(figures: Figures): readonly Measure[] {
  const { rows, ownMicroseconds, postgresMicroseconds, sizes, yearMs, monthMs, minutesMs } =
    figures;
  const facts = `${rows.toLocaleString('en')} facts`;
  const perFact = ownMicroseconds + postgresMicroseconds;
  const count = (value: number) => Math.round(value).toLocaleString('en');
  return [
    {
      name: 'facts counted per second of one core, of the service and PostgreSQL together',
      value: 1e6 / perFact,
      unit: '/s',
      target: { kind: 'at least', value: 5_000 },
      note: `${shown(ownMicroseconds)} µs of the service and ${shown(postgresMicroseconds)} µs of PostgreSQL each`,
    },
    { name: 'facts counted by the clock', value: figures.perSecond, unit: '/s' },
    {
      name: `disk after a year, ${facts}`,
      value: bytesOf(sizes) / rows,
      unit: 'B a fact',
      target: { kind: 'at most', value: 150 },
      note: 'tables and indexes, with the single facts of 31 days',
    },
    ...sizes
      .filter((size) => size.tableBytes + size.indexBytes > rows)
      .map((size) => ({
        name: `disk: ${size.table}`,
        value: (size.tableBytes + size.indexBytes) / rows,
        unit: 'B a fact',
        note:
          `${count(size.rows)} rows of ${count(size.tableBytes / size.rows)} B, ` +
          `and ${count(size.indexBytes / size.rows)} B of indexes`,
      })),
    timed('365 days by day and model, p50', yearMs, 0.5, 50),
    {
      ...timed('31 days by any two dimensions, p95', monthMs, 0.95, 300),
      note: figures.slowestPair,
    },
    timed('3 hours by minute and model, p50', minutesMs, 0.5, 100),
  ];
}

function timed(name: string, sample: readonly number[], share: number, most: number): Measure {
  const target = { kind: 'at most', value: most } as const;
  return {
    name,
    value: percentile(sample, share),
    unit: 'ms',
    target,
    note: `p99 ${shown(percentile(sample, 0.99))} ms`,
  };
}

/** Shows how figures grow where there are ten times as many facts: 10 would be with the facts. */
function slopesOf(tenth: Figures, whole: Figures): readonly Measure[] {
  const isSum = ({ table }: TableSize) => table.startsWith('usage_');
  const ratios = [
    ['disk of sums', bytesOf(tenth.sizes.filter(isSum)), bytesOf(whole.sizes.filter(isSum))],
    ['365 days by day and model', percentile(tenth.yearMs, 0.5), percentile(whole.yearMs, 0.5)],
    ['31 days by two dimensions', percentile(tenth.monthMs, 0.5), percentile(whole.monthMs, 0.5)],
  ] as const;
  return ratios.map(([what, small, large]) => ({
    name: `slope, ten times as many facts: ${what}`,
    value: large / small,
    unit: '×',
  }));
}
