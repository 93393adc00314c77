import type { ManagementFigures } from './managing.ts';

/**
 * The figures of an overload run: rates per second, times in milliseconds, the recovery in seconds. Those of the
 * management plane are absent for a subject without one.
 */
export interface OverloadFigures extends Partial<ManagementFigures> {
  /** Peak throughput of this run without overload. */
  readonly peakPerSecond: number;
  /** Processor time of the processes that requests go through, when they do nothing else. */
  readonly peak_cpuUsPerRequest: number;
  /** The processor time of these processes during the overload, as a share of one processor. */
  readonly busyShare: number;
  /**
   * The processor time of a refusal: what these processes used beyond that of served requests, which is taken to be
   * that of the peak.
   */
  readonly refusal_cpuUs: number;
  /** The requests that the load really sent. It is fewer than three times the peak if the load could not keep up. */
  readonly offeredPerSecond: number;
  /** Whole answers in time. */
  readonly servedPerSecond: number;
  /** Until the last byte, or until the first word of a stream. */
  readonly served_p50Ms: number;
  readonly served_p99Ms: number;
  readonly served_mostMs: number;
  /** 429 and 503. */
  readonly refusedPerSecond: number;
  readonly refused_p50Ms: number;
  readonly refused_p99Ms: number;
  /**
   * True if the load and the upstream run before all else on their processor. The next figure says how late the load
   * still was.
   */
  readonly loadGoesFirst: boolean;
  readonly load_late_p99Ms: number;
  /** All other answers that were not right, and requests without any, by what was wrong. */
  readonly faults: Readonly<Record<string, number>>;
  /** Requests of 1,000 clients in a closed loop that were not served, right after the start and warm. */
  readonly cold_unserved: number;
  readonly warm_unserved: number;
  /** With half of the peak, before the overload. */
  readonly before_p99Ms: number;
  /** From its end until half of the peak was served as before again; null: it was not. */
  readonly recoverySeconds: number | null;
}

/** Bounds that a run must keep: shares of its own peak, and times. */
export const thresholds = {
  servedShareMin: 0.6,
  /** The same of streams, which cost more beside a refusal. */
  streamsServedShareMin: 0.85,
  served_p99MsMax: 250,
  refused_p99MsMax: 50,
  recoverySecondsMax: 2,
  /** A client asks so much of what can be served. */
  offeredShareMin: 2.7,
} as const;

export interface OverloadVerdict {
  readonly servedShare: number;
  readonly offeredShare: number;
  /**
   * The share of the peak that a process with a processor of its own would serve, whose requests and refusals cost as
   * much. A smaller share was served if others took processor time from it.
   */
  readonly shareByCpu: number;
  readonly held: Readonly<Record<string, boolean>>;
  readonly isHeld: boolean;
}

/** Each threshold that the subject can keep, and whether it holds. */
export function verdictOf(figures: OverloadFigures, { isStreaming = false } = {}): OverloadVerdict {
  const { peakPerSecond, servedPerSecond, offeredPerSecond, recoverySeconds } = figures;
  const servedShare = servedPerSecond / peakPerSecond;
  const offeredShare = offeredPerSecond / peakPerSecond;
  const held = {
    served:
      servedShare >= (isStreaming ? thresholds.streamsServedShareMin : thresholds.servedShareMin),
    servedSoon: figures.served_p99Ms <= thresholds.served_p99MsMax,
    keptServed: figures.cold_unserved + figures.warm_unserved === 0,
    offered: offeredShare >= thresholds.offeredShareMin,
    refusedSoon: figures.refused_p99Ms <= thresholds.refused_p99MsMax,
    nothingElse: Object.keys(figures.faults).length === 0,
    recovered: recoverySeconds !== null && recoverySeconds <= thresholds.recoverySecondsMax,
    ...(figures.managementAnswered !== undefined && {
      managed: figures.managementFailed === 0 && figures.managementAnswered > 0,
    }),
  };
  const refusalPart = figures.refusal_cpuUs / figures.peak_cpuUsPerRequest;
  return {
    servedShare,
    offeredShare,
    shareByCpu: (1 - offeredShare * refusalPart) / (1 - refusalPart),
    held,
    isHeld: Object.values(held).every(Boolean),
  };
}
