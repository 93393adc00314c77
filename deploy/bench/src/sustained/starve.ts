import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { isRefusal } from '../harness/load/expectation.ts';
import type { LoadTarget } from '../harness/load/closed-loop.ts';
import type { Surroundings } from '../comparison/surroundings.ts';
import type { Subject } from '../subjects/subject.ts';
import { warmUp } from '../comparison/warm-up.ts';
import { lagOf } from './holds.ts';
import { startLooking, untilCounted } from './looks.ts';
import type { SustainedOptions } from './options.ts';
import { targetOf } from './target.ts';

const run = promisify(execFile);

export interface Starved {
  /** Requests a second in a closed loop, before and while the books are starved. */
  readonly before_rps: number;
  readonly rps: number;
  readonly refused: number;
  /** Requests that were neither served nor refused. */
  readonly errors: number;
  readonly lag_p99_s: number;
  /** The longest, also of facts that were not counted yet. */
  readonly lag_max_s: number;
  readonly uncounted_max: number;
  /** From the end of the load until all was counted; null: it was not. */
  readonly drained_s: number | null;
  readonly isHeld: boolean;
  /** The bounds that were broken. */
  readonly broken: readonly string[];
}

/** Bounds within which the starved system degrades and does not collapse. */
export const starvedBounds = {
  servedShareMin: 0.5,
  lag_maxSecondsMax: 5,
  drainedSecondsMax: 30,
} as const;

const niceness = 10;
const beforeMs = 10_000;
/** In the words of a command, which end with a zero: the books of `make start`, or those of `make services`. */
const booksPattern = /(?:^|[/\0])(?:books|services\/(?:ledger|key|analytics)\/src)\/main\.ts/;

/** Warms the product up and starves its books. */
export async function starvedBench(options: SustainedOptions): Promise<Starved> {
  const { surroundings, timetable, onProgress } = options;
  const { seconds, warmUpMsMax } = timetable;
  const subject = surroundings.subjects.find(({ name }) => name.startsWith('sluice'));
  if (!subject) throw new Error('There is nothing to starve');
  const secondsMax =
    (2 * warmUpMsMax + beforeMs) / 1_000 + seconds + starvedBounds.drainedSecondsMax;
  onProgress(`It takes ${(secondsMax / 60).toFixed(1)} min at most`);
  const target = await targetOf(subject);
  await warmUp(surroundings, warmUpMsMax, onProgress);
  onProgress(`${subject.name} at full load for ${seconds} s, its books at niceness ${niceness}`);
  return await starveBooks(surroundings, { subject, target, seconds });
}

/** Starves the books of the processor under a full load, and says what came of it. */
async function starveBooks(
  { load }: Pick<Surroundings, 'load'>,
  { subject, target, seconds }: { subject: Subject; target: LoadTarget; seconds: number },
): Promise<Starved> {
  const before = await load.closedLoop({ ...target, sendingMs: beforeMs });
  const books = await booksOf(subject);
  if (books.length === 0) throw new Error('The books have no process of their own');
  await makeNice(books);
  const stopLooking = startLooking(subject);
  const served = await load.closedLoop({ ...target, sendingMs: seconds * 1_000 });
  const drained_s = await untilCounted(subject, starvedBounds.drainedSecondsMax);
  const { looks } = await stopLooking();
  const { p99Seconds, mostSeconds } = lagOf(looks);
  const faults = Object.entries(served.faults);
  const sumOf = (wanted: (fault: string) => boolean) =>
    faults.reduce((sum, [fault, count]) => sum + (wanted(fault) ? count : 0), 0);
  const figures = {
    before_rps: (before.answeredInTime * 1_000) / before.sendingMs,
    rps: (served.answeredInTime * 1_000) / served.sendingMs,
    refused: sumOf(isRefusal),
    errors: sumOf((fault) => !isRefusal(fault)),
    lag_p99_s: p99Seconds,
    lag_max_s: Math.max(mostSeconds, ...looks.map(({ oldestSeconds }) => oldestSeconds)),
    uncounted_max: Math.max(0, ...looks.map(({ uncounted }) => uncounted)),
    drained_s,
  };
  const broken = brokenBy(figures);
  return { ...figures, isHeld: broken.length === 0, broken };
}

/** Returns a sentence for each bound that the figures break. */
export function brokenBy(figures: Omit<Starved, 'isHeld' | 'broken'>): readonly string[] {
  const { servedShareMin, lag_maxSecondsMax, drainedSecondsMax } = starvedBounds;
  const { rps, before_rps, errors, lag_max_s, drained_s } = figures;
  const share = rps / before_rps;
  const found: (readonly [isHeld: boolean, sentence: string])[] = [
    [share >= servedShareMin, `served share ${share.toFixed(2)} (≥ ${servedShareMin})`],
    [errors === 0, `errors ${errors} (≤ 0)`],
    [lag_max_s <= lag_maxSecondsMax, `lag_max_s ${lag_max_s.toFixed(1)} (≤ ${lag_maxSecondsMax})`],
    [
      drained_s !== null && drained_s <= drainedSecondsMax,
      `drained_s ${drained_s?.toFixed(1) ?? 'never'} (≤ ${drainedSecondsMax})`,
    ],
  ];
  return found.filter(([isHeld]) => !isHeld).map(([, sentence]) => sentence);
}

/** Returns the processes of ledger, key uses and analytics. */
async function booksOf(subject: Subject): Promise<readonly number[]> {
  const { measured, others } = await subject.pids();
  const commands = await Promise.all(
    others.map(
      async (pid) => [pid, await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')] as const,
    ),
  );
  return commands
    .filter(([pid, command]) => booksPattern.test(command) && !measured.includes(pid))
    .map(([pid]) => pid);
}

/** Lowers the priority of all threads of these processes. New threads of them inherit it. */
async function makeNice(pids: readonly number[]): Promise<void> {
  for (const pid of pids) {
    const threads = await readdir(`/proc/${pid}/task`);
    await run('renice', ['-n', String(niceness), '-p', ...threads]);
  }
}
