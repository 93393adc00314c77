import type { LoadCounts } from './load.ts';

/** A fault and its result. */
export interface RoundOutcome {
  readonly fault: string;
  /** Commands that were acknowledged while the fault was at work, or after the store was accepted. */
  readonly acknowledged: number;
  readonly lost: number;
  readonly twice: number;
  readonly silent: number;
  /** undefined if the log was replaced: the operator decides when commands resume. */
  readonly gapMs: number | undefined;
  /** The place where Sluice reported the fault; empty if there is nothing to report. */
  readonly said: string;
  readonly findings: readonly string[];
  /** True if commands no longer work. Further faults would show nothing. */
  readonly isTheEnd: boolean;
}

/** One row of the table. It counts the requests of the whole round and of its preparation. */
export interface Outcome extends RoundOutcome {
  readonly load: LoadCounts;
}

const columns = [
  'fault',
  'acknowledged',
  'lost',
  'twice',
  'silent',
  'longest gap',
  'inference',
  'failed',
  'GETs',
  'failed',
  'said',
] as const;

/** Markdown, with a row for each fault. */
export function tableOf(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map(({ load, ...one }) => [
    one.fault,
    one.acknowledged,
    one.lost,
    one.twice,
    one.silent,
    one.gapMs === undefined ? '–' : `${one.gapMs} ms`,
    load.inference,
    load.failedInference,
    load.reads,
    load.failedReads,
    one.said,
  ]);
  return [columns, columns.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

/** Returns the later counts less the earlier ones. */
export function countsSince(before: LoadCounts, after: LoadCounts): LoadCounts {
  return {
    inference: after.inference - before.inference,
    failedInference: after.failedInference - before.failedInference,
    reads: after.reads - before.reads,
    failedReads: after.failedReads - before.failedReads,
    slowestInferenceMs: after.slowestInferenceMs,
    slowestReadMs: after.slowestReadMs,
  };
}
