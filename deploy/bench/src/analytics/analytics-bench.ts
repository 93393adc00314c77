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
  readonly year: Answers;
  readonly month: Answers;
  readonly slowestPair: string;
  readonly minutes: Answers;
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
      return {
        rows: options.rows,
        ...filled,
        sizes,
        ...(await askAll(options, store, postgres.pid)),
      };
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
      const some = facts
        .slice(from, from + batchMax)
        .map((fact) => rowOfFact(fact, Date.parse(fact.completedAt)));
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

async function askAll({ onProgress }: AnalyticsBenchOptions, store: PostgresStore, pid: number) {
  onProgress('questions');
  const year = await processorOf(pid, () => timesOf(store, ofYear(nowMs), runs));
  const minutes = await processorOf(pid, () => timesOf(store, ofMinutes(nowMs), runs));
  const pairs: (readonly [string, readonly number[]])[] = [];
  const month = await processorOf(pid, async () => {
    for (const asked of ofMonth(nowMs))
      pairs.push([(asked.dimensions ?? []).join(' and '), await timesOf(store, asked, pairRuns)]);
    return pairs.flatMap(([, each]) => each);
  });
  const slowest = pairs.toSorted(
    ([, one], [, other]) => percentile(other, 0.5) - percentile(one, 0.5),
  )[0];
  const [name = '', times = []] = slowest ?? [];
  const slowestPair = `slowest: ${name}, ${shown(percentile(times, 0.5))} ms`;
  return { year, minutes, month, slowestPair };
}

/** Times of answers, and the processor time of one, of the service and PostgreSQL together. */
interface Answers {
  readonly times: readonly number[];
  readonly processorMs: number;
}

async function processorOf(pid: number, ask: () => Promise<readonly number[]>): Promise<Answers> {
  const own = process.cpuUsage();
  const before = await processorMsOf(pid);
  const times = await ask();
  const { user, system } = process.cpuUsage(own);
  const usedMs = (user + system) / 1_000 + (await processorMsOf(pid)) - before;
  return { times, processorMs: usedMs / times.length };
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
  const { rows, ownMicroseconds, postgresMicroseconds, sizes, year, month, minutes } = figures;
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
    timed('365 days by day and model, p50', year, 0.5, 50),
    timed('31 days by any two dimensions, p95', month, 0.95, 300, figures.slowestPair),
    timed('3 hours by minute and model, p50', minutes, 0.5, 100),
  ];
}

function timed(
  name: string,
  { times, processorMs }: Answers,
  share: number,
  most: number,
  remark = '',
): Measure {
  return {
    name,
    value: percentile(times, share),
    unit: 'ms',
    target: { kind: 'at most', value: most },
    note: [`${shown(processorMs)} ms of processors each`, remark].filter(Boolean).join('; '),
  };
}

/** Shows how figures grow where there are ten times as many facts: 10 would be with the facts. */
function slopesOf(tenth: Figures, whole: Figures): readonly Measure[] {
  const isSum = ({ table }: TableSize) => table.startsWith('usage_');
  const ratios = [
    ['disk of sums', bytesOf(tenth.sizes.filter(isSum)), bytesOf(whole.sizes.filter(isSum))],
    ['processor time of 365 days by day and model', tenth.year.processorMs, whole.year.processorMs],
    [
      'processor time of 31 days by two dimensions',
      tenth.month.processorMs,
      whole.month.processorMs,
    ],
  ] as const;
  return ratios.map(([what, small, large]) => ({
    name: `slope, ten times as many facts: ${what}`,
    value: large / small,
    unit: '×',
  }));
}
