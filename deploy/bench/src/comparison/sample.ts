import type { LoadResult } from '../harness/load/tally.ts';
import type { Usage } from '../harness/machine/usage.ts';
import type { SubjectName } from '../subjects/subject.ts';
import type { Cell } from './plan.ts';

/** The names of the figures in `results.json`. */
export const figureNames = [
  'rps',
  'p50_ms',
  'p99_ms',
  // Until the first piece of text of a stream; NaN of a whole answer.
  'first_delta_p50_ms',
  'first_delta_p99_ms',
  'cpu_us_per_request',
  // Processor time of the subject outside its main threads: garbage collection, the compiler, the disk.
  'helper_threads_us_per_request',
  // The garbage that was freed; 0 for a subject that is not asked.
  'garbage_kb_per_request',
  // Processor time of the databases, brokers and services that the subject depends on.
  'others_cpu_us_per_request',
  // The share of a processor that the subject used, and that of everything around it.
  'busy_share',
  'around_busy_share',
  'rss_mb',
  'others_rss_mb',
  // Rate of the open loop that measured the latencies.
  'open_rps',
  // The time by which the load sent a due request too late. No latency includes it.
  'load_late_p99_ms',
] as const;
export type FigureName = (typeof figureNames)[number];
export type Figures = Readonly<Record<FigureName, number>>;

/** The measurement of one subject in one cell and one round. */
export interface Sample {
  readonly name: SubjectName;
  readonly cell: Cell;
  readonly round: number;
  /** Absent where the answers were wrong before the measurement. */
  readonly figures?: Figures;
  readonly latenciesCounted: number;
  /** False: it worked on for so long that some of it is not counted. */
  readonly isAtRest: boolean;
  readonly faults: Readonly<Record<string, number>>;
}

export interface Measured extends Pick<Sample, 'name' | 'cell' | 'round' | 'isAtRest'> {
  readonly closed: LoadResult;
  readonly open: LoadResult;
  readonly openRequestsPerSecond: number;
  readonly before: Usage;
  /** Processor time of load and upstream meanwhile. */
  readonly harnessCpuMs: number;
  /** When the last answer was there. */
  readonly after: Usage;
  /** When it had come to rest, if it did: what is done later belongs to the requests as well. */
  readonly settled: Usage;
  /** Garbage that was freed, and processor time of helper threads, in the closed loop. */
  readonly freedBytes: number;
  readonly helpersMs: number;
  readonly residentBytes: number;
  readonly othersResidentBytes: number;
}

const mebibyte = 1_048_576;

/** Computes the figures of one measurement. */
export function sampleOf(measured: Measured): Sample {
  const { name, cell, round, isAtRest, closed, open, before, after, settled } = measured;
  const wallMs = after.atMs - before.atMs;
  const perRequestUs = (cpuMs: number) => (cpuMs * 1_000) / closed.answered;
  return {
    name,
    cell,
    round,
    isAtRest,
    latenciesCounted: open.latencies.count,
    faults: sumOfFaults([closed, open]),
    figures: {
      rps: (closed.answeredInTime * 1_000) / closed.sendingMs,
      p50_ms: open.latencies.p50Ms,
      p99_ms: open.latencies.p99Ms,
      first_delta_p50_ms: open.firstDeltas.p50Ms,
      first_delta_p99_ms: open.firstDeltas.p99Ms,
      cpu_us_per_request: perRequestUs(settled.cpuMs - before.cpuMs),
      helper_threads_us_per_request: perRequestUs(measured.helpersMs),
      garbage_kb_per_request: measured.freedBytes / closed.answered / 1_000,
      others_cpu_us_per_request: perRequestUs(settled.othersCpuMs - before.othersCpuMs),
      busy_share: (after.cpuMs - before.cpuMs) / wallMs,
      around_busy_share: (measured.harnessCpuMs + after.othersCpuMs - before.othersCpuMs) / wallMs,
      rss_mb: measured.residentBytes / mebibyte,
      others_rss_mb: measured.othersResidentBytes / mebibyte,
      open_rps: measured.openRequestsPerSecond,
      load_late_p99_ms: open.lateness.p99Ms,
    },
  };
}

/** Adds up the faults of several results by their kind. */
export function sumOfFaults(results: readonly Pick<Sample, 'faults'>[]): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const [kind, count] of results.flatMap(({ faults }) => Object.entries(faults)))
    sum[kind] = (sum[kind] ?? 0) + count;
  return sum;
}
