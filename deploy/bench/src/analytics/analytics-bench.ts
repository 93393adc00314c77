import { join } from 'node:path';
import { type AskedQuestion, parseQuestion } from '@sluice/analytics-model';
import { rowOfFact } from '@sluice/analytics/count-fact';
import { openQuestions } from '@sluice/analytics/open-questions';
import { PostgresStore } from '@sluice/analytics/postgres-store';
import { analyticsSchema } from '@sluice/analytics/schema';
import { startPostgres } from '@sluice/embedded';
import { migrate, openDatabase } from '@sluice/read-model';
import { descendantsOf } from '@sluice/testing/process-stat';
import type { UsageFact } from '@sluice/usage-facts';
import { familyCpuMsOf } from '../harness/machine/process-figures.ts';
import { type Measure, shown } from '../measure.ts';
import { percentile } from '../percentile.ts';
import { showProgress } from '../program.ts';
import { withScratch } from '../scratch.ts';
import { type Answers, type Figures, measuresOf, slopesOf } from './figures.ts';
import { ofMinutes, ofMonth, ofYear } from './questions.ts';
import { sizesOf } from './tables.ts';
import { accountId, type Spread, YearOfFacts } from './year-of-facts.ts';

interface AnalyticsBenchOptions {
  readonly rows: number;
  readonly spread: Spread;
}

const dayMs = 86_400_000;
const days = 365;
const nowMs = Date.parse('2026-11-18T20:34:56.000Z');
const retention = { factDays: 31, hourDays: 62, dayDays: 400 };
/** The service has so many facts in a transaction. */
const batchMax = 2_000;
/** Days without single facts are only background: larger transactions fill them sooner. */
const oldBatchMax = 20_000;
/** A vacuum of all tables takes minutes on a busy machine. */
const vacuumMsMax = 1_800_000;
const statementTimeoutMs = 30_000;
/** Each time rewrites some months and days that are over. */
const retainTimes = 20;
const runs = 20;
const pairRuns = 3;

/**
 * Measures the store of analytics: a year of facts is counted as the service counts it, and questions are asked. A
 * tenth of the facts goes first, to show what grows with their number.
 */
export async function analyticsBench(options: AnalyticsBenchOptions): Promise<readonly Measure[]> {
  const tenth = await measureSize({ ...options, rows: Math.ceil(options.rows / 10) });
  const whole = await measureSize(options);
  return [...measuresOf(whole), ...slopesOf(tenth, whole)];
}

async function measureSize(options: AnalyticsBenchOptions): Promise<Figures> {
  return await withScratch('analytics', async (scratch) => {
    const directory = join(scratch, 'postgres');
    const postgres = await startPostgres({ directory, onLog: () => undefined });
    const database = openDatabase({
      url: postgres.url,
      schema: 'analytics',
      connectionsMax: 4,
      statementTimeoutMs: vacuumMsMax,
    });
    const questions = openQuestions({ url: postgres.url, connectionsMax: 4, statementTimeoutMs });
    try {
      await migrate(database, analyticsSchema.migrations);
      const store = new PostgresStore({ database, questions, retention });
      const filled = await fill(options, store, postgres.pid);
      await database.query({ text: 'VACUUM ANALYZE', values: [] });
      const sizes = await sizesOf(database);
      return { rows: options.rows, ...filled, sizes, ...(await askAll(store, postgres.pid)) };
    } finally {
      await questions.stop();
      await database.stop();
      await postgres.stop();
    }
  });
}

/**
 * Counts a year of facts, a day after the other. Those of days whose single facts are kept no more come as the ledger
 * brings them at a first start. The others are counted as the bus brings them, and their time is measured.
 */
async function fill({ rows, spread }: AnalyticsBenchOptions, store: PostgresStore, pid: number) {
  const year = new YearOfFacts(spread);
  const lastDayMs = Math.floor(nowMs / dayMs) * dayMs;
  const firstMs = lastDayMs - retention.factDays * dayMs;
  await store.begin(new Date(nowMs));
  let [ownMs, postgresMs, elapsedMs, measured, done] = [0, 0, 0, 0, 0];
  for (let day = 0; day < days; day += 1) {
    const dayStartMs = lastDayMs - (days - 1 - day) * dayMs;
    const wanted = Math.round((rows * (day + 1)) / days) - done;
    const facts = year.during(dayStartMs, Math.min(dayMs, nowMs - dayStartMs), wanted);
    if (dayStartMs <= firstMs) await countOld(store, facts);
    else {
      const used = await usedBy(pid, () => countNew(store, facts));
      ownMs += used.ownMs;
      postgresMs += used.postgresMs;
      elapsedMs += used.elapsedMs;
      measured += facts.length;
    }
    done += facts.length;
    if (day % 30 === 29)
      showProgress(`${done.toLocaleString('en')} of ${rows.toLocaleString('en')} facts`);
  }
  await store.ledgerIsRead(new Date(nowMs));
  for (let time = 0; time < retainTimes; time += 1) await store.retain(new Date(nowMs));
  return {
    perSecond: (measured * 1_000) / elapsedMs,
    ownMicroseconds: (ownMs * 1_000) / measured,
    postgresMicroseconds: (postgresMs * 1_000) / measured,
  };
}

const changesOf = (facts: readonly UsageFact[]) =>
  facts.flatMap((fact) => {
    const after = rowOfFact(fact, Date.parse(fact.completedAt));
    return after ? [{ before: undefined, after }] : [];
  });

async function countOld(store: PostgresStore, facts: readonly UsageFact[]): Promise<void> {
  for (let from = 0; from < facts.length; from += oldBatchMax) {
    const after = await store.ledgerCursor();
    const changes = changesOf(facts.slice(from, from + oldBatchMax));
    await store.apply(changes, { kind: 'ledger', after, next: String(Number(after) + 1) });
  }
}

async function countNew(store: PostgresStore, facts: readonly UsageFact[]): Promise<void> {
  for (let from = 0; from < facts.length; from += batchMax)
    await store.apply(changesOf(facts.slice(from, from + batchMax)), { kind: 'bus' });
}

/** Returns the time of some work, and the processor time of this process and of PostgreSQL in it. */
async function usedBy<Result>(pid: number, work: () => Promise<Result>) {
  const before = await processorMsOf(pid);
  const beganMs = performance.now();
  const began = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(began);
  return {
    result,
    elapsedMs: performance.now() - beganMs,
    ownMs: (user + system) / 1_000,
    postgresMs: (await processorMsOf(pid)) - before,
  };
}

/** Returns the processor time of a server and of its processes, also of those that have ended. */
async function processorMsOf(pid: number): Promise<number> {
  return await familyCpuMsOf([pid, ...(await descendantsOf([pid]))]);
}

async function askAll(store: PostgresStore, pid: number) {
  showProgress('questions');
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

async function processorOf(pid: number, ask: () => Promise<readonly number[]>): Promise<Answers> {
  const { result: times, ownMs, postgresMs } = await usedBy(pid, ask);
  return { times, processorMs: (ownMs + postgresMs) / times.length };
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
