import type { CallLimits } from '@sluice/providers';
import type { Model } from '@sluice/catalog';

/** Time limits in milliseconds. */
export interface Limits {
  /** To the first output of a stream, per attempt. */
  readonly firstOutputTimeoutMs: number;
  /** To the whole of an answer that is not streamed, per attempt. */
  readonly wholeTimeoutMs: number;
  /** Both, for models that think first. */
  readonly reasoningTimeoutMs: number;
  /** Between two reads of a stream. */
  readonly idleTimeoutMs: number;
  /** All attempts together, until there is output. */
  readonly totalTimeoutMs: number;
  /** A status is held back for so long while there is neither output nor error. */
  readonly statusHeldMs: number;
  /** A stream that says nothing for so long sends a comment. */
  readonly keepAliveMs: number;
  /** After its client has left, a stream that goes on all the same is read for so long to learn its usage. */
  readonly drainMs: number;
  /** An endpoint that is asked for the count of an input may take so long. */
  readonly countMs: number;
  /** A request goes on without the verdict of a judge that takes so long. */
  readonly judgeMs: number;
  /** A client that takes nothing for so long has left. */
  readonly clientStallMs: number;
}

export const defaultLimits: Limits = {
  firstOutputTimeoutMs: 60_000,
  wholeTimeoutMs: 300_000,
  reasoningTimeoutMs: 300_000,
  idleTimeoutMs: 120_000,
  totalTimeoutMs: 600_000,
  statusHeldMs: 10_000,
  keepAliveMs: 10_000,
  drainMs: 600_000,
  countMs: 5_000,
  judgeMs: 15_000,
  clientStallMs: 120_000,
};

/** Returns the time limits of an attempt. `patienceMs` shortens them if another endpoint could be tried. */
export function callLimits(
  limits: Limits,
  model: Model,
  {
    isStreamed,
    patienceMs = Infinity,
  }: { readonly isStreamed: boolean; readonly patienceMs?: number | undefined },
): CallLimits {
  const usual = isStreamed ? limits.firstOutputTimeoutMs : limits.wholeTimeoutMs;
  const mostMs = model.isReasoning ? Math.max(usual, limits.reasoningTimeoutMs) : usual;
  const toOutputMs = Math.min(mostMs, Math.round(patienceMs));
  return {
    headersTimeoutMs: toOutputMs,
    firstOutputTimeoutMs: toOutputMs,
    idleTimeoutMs: limits.idleTimeoutMs,
  };
}
