import { percentile } from '../percentile.ts';
import { subjectNames, type SubjectName } from '../subjects/subject.ts';
import { type Cell, nameOf } from './plan.ts';
import type { Sample } from './sample.ts';

/** The requests per second divided by those of the other subject, in the same cell and round. */
export interface Ratios {
  readonly vs_portkey: number | null;
  readonly vs_bare_proxy: number | null;
}

/** The processor time per request of the other subject divided by this one's, in the same cell and round. */
export type CpuRatios = Ratios;

/** One line of `results.json`: medians over the rounds. Numbers are null where answers were not right. */
export interface Row {
  readonly name: SubjectName;
  /** Bytes of the request. */
  readonly body: number;
  readonly concurrency: number;
  readonly streaming: boolean;
  readonly upstream_delay_ms: number;
  /** Words of an answer. */
  readonly deltas: number;
  readonly rps: number | null;
  readonly p50_ms: number | null;
  readonly p99_ms: number | null;
  readonly first_delta_p50_ms: number | null;
  readonly first_delta_p99_ms: number | null;
  readonly deltas_per_second: number | null;
  readonly cpu_us_per_request: number | null;
  readonly others_cpu_us_per_request: number | null;
  /**
   * The share of a processor that the subject used, and that of everything around it: load, upstream, its dependencies.
   */
  readonly busy_share: number | null;
  readonly around_busy_share: number | null;
  readonly rss_mb: number | null;
  readonly others_rss_mb: number | null;
  /** Rate of the open loop that measured the latencies. */
  readonly open_rps: number | null;
  readonly latencies_counted: number;
  /** The time by which the load sent a due request too late. No latency includes it. */
  readonly load_late_p99_ms: number | null;
  readonly rounds: number;
  /** False: it was still at work 10 s after the answers, and what it did later is not counted. */
  readonly came_to_rest: boolean;
  /** Number of wrong answers by kind of fault; empty in a valid row. */
  readonly faults: Readonly<Record<string, number>>;
  readonly ratios: Ratios;
  readonly cpu_ratios: CpuRatios;
  /** The processor time divided by that of the same request by `POST /responses` of Sluice, in the same round. */
  readonly cpu_times_of_responses: number | null;
}

const mebibyte = 1_048_576;

/** A row for each subject and cell, in the order of the cells. */
export function rowsOf(samples: readonly Sample[]): readonly Row[] {
  const cells = new Map(samples.map(({ cell }) => [nameOf(cell), cell]));
  return [...cells.values()].flatMap((cell) =>
    subjectNames
      .map((name) => samples.filter((sample) => isOf(sample, name, cell)))
      .filter((found) => found.length > 0)
      .map((found) => rowOf(found, samples)),
  );
}

const isOf = (sample: Sample, name: SubjectName, cell: Cell) =>
  sample.name === name && nameOf(sample.cell) === nameOf(cell);

function rowOf(own: readonly Sample[], all: readonly Sample[]): Row {
  const [first] = own;
  if (!first) throw new Error('A row needs a sample');
  const { name, cell } = first;
  const faults = faultsOf(own);
  const isRight = Object.keys(faults).length === 0;
  const median = (figure: (sample: Sample) => number) => {
    const value = percentile(own.map(figure), 0.5);
    return isRight && Number.isFinite(value) ? rounded(value) : null;
  };
  const rps = median((sample) => sample.requestsPerSecond);
  return {
    name,
    body: cell.bodyBytes,
    concurrency: cell.concurrency,
    streaming: cell.isStreaming,
    upstream_delay_ms: cell.upstreamDelayMs,
    deltas: cell.deltas,
    rps,
    p50_ms: median((sample) => sample.p50Ms),
    p99_ms: median((sample) => sample.p99Ms),
    first_delta_p50_ms: median((sample) => sample.firstDeltaP50Ms),
    first_delta_p99_ms: median((sample) => sample.firstDeltaP99Ms),
    deltas_per_second: cell.isStreaming && rps !== null ? rounded(rps * cell.deltas) : null,
    cpu_us_per_request: median((sample) => sample.cpuUsPerRequest),
    others_cpu_us_per_request: median((sample) => sample.othersCpuUsPerRequest),
    busy_share: median((sample) => sample.busyShare),
    around_busy_share: median((sample) => sample.aroundBusyShare),
    rss_mb: median((sample) => sample.residentBytes / mebibyte),
    others_rss_mb: median((sample) => sample.othersResidentBytes / mebibyte),
    open_rps: median((sample) => sample.openRequestsPerSecond),
    latencies_counted: own.reduce((sum, { latenciesCounted }) => sum + latenciesCounted, 0),
    load_late_p99_ms: median((sample) => sample.loadLateP99Ms),
    rounds: own.length,
    came_to_rest: own.every(({ isAtRest }) => isAtRest),
    faults,
    ratios: ratiosOf(own, all, (mine, its) => mine.requestsPerSecond / its.requestsPerSecond),
    cpu_ratios: ratiosOf(own, all, (mine, its) => its.cpuUsPerRequest / mine.cpuUsPerRequest),
    cpu_times_of_responses: ratioOf(own, all, {
      other: 'sluice',
      compare: (mine, its) => mine.cpuUsPerRequest / its.cpuUsPerRequest,
    }),
  };
}

type Compare = (mine: Sample, its: Sample) => number;

function ratiosOf(own: readonly Sample[], all: readonly Sample[], compare: Compare): Ratios {
  return {
    vs_portkey: ratioOf(own, all, { other: 'portkey', compare }),
    vs_bare_proxy: ratioOf(own, all, { other: 'bare', compare }),
  };
}

/** The median over the rounds in which both were measured; null when one of them had wrong answers. */
function ratioOf(
  own: readonly Sample[],
  all: readonly Sample[],
  { other, compare }: { readonly other: SubjectName; readonly compare: Compare },
): number | null {
  const pairs = own.flatMap((sample) =>
    all
      .filter((candidate) => isOf(candidate, other, sample.cell))
      .filter(({ round }) => round === sample.round)
      .map((candidate) => [sample, candidate] as const),
  );
  if (pairs.flat().some(({ faults }) => Object.keys(faults).length > 0)) return null;
  const ratio = percentile(
    pairs.map(([mine, its]) => compare(mine, its)),
    0.5,
  );
  return Number.isFinite(ratio) ? rounded(ratio) : null;
}

function faultsOf(samples: readonly Sample[]): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const [kind, count] of samples.flatMap(({ faults }) => Object.entries(faults)))
    sum[kind] = (sum[kind] ?? 0) + count;
  return sum;
}

/** Three figures behind the point are more than any of it is exact. */
export const rounded = (value: number) => Math.round(value * 1_000) / 1_000;

export const isRowOf = (row: Row, name: SubjectName, cell: Cell) =>
  row.name === name &&
  row.body === cell.bodyBytes &&
  row.concurrency === cell.concurrency &&
  row.streaming === cell.isStreaming &&
  row.upstream_delay_ms === cell.upstreamDelayMs &&
  row.deltas === cell.deltas;
