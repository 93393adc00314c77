import { Histogram } from '../harness/histogram.ts';
import type { LoadResult } from '../harness/load/tally.ts';
import type { Usage } from '../harness/machine/usage.ts';
import type { SubjectName } from '../subjects/subject.ts';
import type { Cell } from './plan.ts';

/** The measurement of one subject in one cell and one round. */
export interface Sample {
  readonly name: SubjectName;
  readonly cell: Cell;
  readonly round: number;
  readonly requestsPerSecond: number;
  readonly openRequestsPerSecond: number;
  readonly latenciesCounted: number;
  /** The time by which the load itself was late. No latency includes it. */
  readonly loadLateP99Ms: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Until the first piece of text of a stream; NaN of a whole answer. */
  readonly firstDeltaP50Ms: number;
  readonly firstDeltaP99Ms: number;
  readonly cpuUsPerRequest: number;
  /** Processor time of the databases, brokers and services that the subject depends on. */
  readonly othersCpuUsPerRequest: number;
  /** The share of a processor that the subject used while it was asked. */
  readonly busyShare: number;
  /** The same of everything around it: load, upstream, and what works for it. */
  readonly aroundBusyShare: number;
  readonly residentBytes: number;
  readonly othersResidentBytes: number;
  /** False: it worked on for so long that some of it is not counted. */
  readonly isAtRest: boolean;
  readonly faults: Readonly<Record<string, number>>;
}

export interface Measured {
  readonly name: SubjectName;
  readonly cell: Cell;
  readonly round: number;
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
  readonly isAtRest: boolean;
  readonly residentBytes: number;
  readonly othersResidentBytes: number;
}

/** The figures of one measurement. */
export function sampleOf(measured: Measured): Sample {
  const { closed, open, before, after, settled } = measured;
  const all = new Histogram();
  all.add(open.latencies);
  const late = new Histogram();
  late.add(open.lateness);
  const first = new Histogram();
  first.add(open.firstDeltas);
  const wallMs = after.atMs - before.atMs;
  const perRequestUs = (cpuMs: number) => (cpuMs * 1_000) / closed.answered;
  return {
    name: measured.name,
    cell: measured.cell,
    round: measured.round,
    requestsPerSecond: (closed.answeredInTime * 1_000) / closed.sendingMs,
    openRequestsPerSecond: measured.openRequestsPerSecond,
    latenciesCounted: all.count,
    loadLateP99Ms: late.percentileMs(0.99),
    p50Ms: all.percentileMs(0.5),
    p99Ms: all.percentileMs(0.99),
    firstDeltaP50Ms: first.percentileMs(0.5),
    firstDeltaP99Ms: first.percentileMs(0.99),
    cpuUsPerRequest: perRequestUs(settled.cpuMs - before.cpuMs),
    othersCpuUsPerRequest: perRequestUs(settled.othersCpuMs - before.othersCpuMs),
    busyShare: (after.cpuMs - before.cpuMs) / wallMs,
    aroundBusyShare: (measured.harnessCpuMs + after.othersCpuMs - before.othersCpuMs) / wallMs,
    residentBytes: measured.residentBytes,
    othersResidentBytes: measured.othersResidentBytes,
    isAtRest: measured.isAtRest,
    faults: summed(closed.faults, open.faults),
  };
}

/** Builds the sample of a subject whose answers were wrong before the measurement. */
export function failedSample(
  name: SubjectName,
  { cell, round, fault }: Pick<Sample, 'cell' | 'round'> & { readonly fault: string },
): Sample {
  const none = Number.NaN;
  return {
    name,
    cell,
    round,
    requestsPerSecond: none,
    openRequestsPerSecond: none,
    latenciesCounted: 0,
    loadLateP99Ms: none,
    p50Ms: none,
    p99Ms: none,
    firstDeltaP50Ms: none,
    firstDeltaP99Ms: none,
    cpuUsPerRequest: none,
    othersCpuUsPerRequest: none,
    busyShare: none,
    aroundBusyShare: none,
    residentBytes: none,
    othersResidentBytes: none,
    isAtRest: true,
    faults: { [fault]: 1 },
  };
}

function summed(...all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const [kind, count] of all.flatMap((faults) => Object.entries(faults)))
    sum[kind] = (sum[kind] ?? 0) + count;
  return sum;
}
