import { headlineCell, latencyCell, type Cell } from '../comparison/plan.ts';
import { isRowOf, type Row } from '../comparison/rows.ts';

/** A ratio to another subject of the same run, or a figure that no hour of a machine changes, and its bound. */
export interface Check {
  readonly name: string;
  readonly kind: 'at least' | 'at most';
  readonly bound: number;
  /** NaN when there is none, as where answers were wrong: that does not pass. */
  readonly value: number;
}

export const passes = ({ kind, bound, value }: Check) =>
  kind === 'at least' ? value >= bound : value <= bound;

/**
 * 5 to 8 % worse than the figures of a warm run on a quiet machine, which docs/performance.md has. Tighten a bound when
 * its figure gets better. Before you loosen one, say why there.
 */
export const bounds = {
  /** Processor time per request: the bare proxy's divided by Sluice's, at least. */
  wholeCpuShare: 0.22,
  streamCpuShare: 0.38,
  /** Latency of a lone request: Sluice's divided by the bare proxy's, at most. */
  loneLatencyTimes: 3,
  /** The garbage of a request, KB, at most. */
  garbageKb: 80,
  /** Processor time of a request by another door: that by `POST /responses` times this, at most. */
  doorCpuTimes: 1.05,
  /** The same for a vector, which is other work than an answer. */
  vectorCpuTimes: 1.2,
} as const;

const streamCell: Cell = { ...headlineCell, isStreaming: true };

const doors = [
  ['sluice-chat', '/chat/completions', bounds.doorCpuTimes, [headlineCell, streamCell]],
  ['sluice-messages', '/messages', bounds.doorCpuTimes, [headlineCell, streamCell]],
  // A vector is no stream.
  ['sluice-embeddings', '/embeddings', bounds.vectorCpuTimes, [headlineCell]],
] as const;

/** Compares the measured rows with the bounds. */
export function checksOf(rows: readonly Row[]): readonly Check[] {
  const rowOf = (name: 'sluice' | 'bare', cell: Cell) =>
    rows.find((row) => isRowOf(row, name, cell));
  const cpuShare = (cell: Cell) => rowOf('sluice', cell)?.cpu_ratios.vs_bare_proxy ?? Number.NaN;
  const p50Of = (name: 'sluice' | 'bare') => rowOf(name, latencyCell)?.p50_ms ?? Number.NaN;
  return [
    {
      name: 'requests per processor time, of the bare proxy’s',
      kind: 'at least',
      bound: bounds.wholeCpuShare,
      value: cpuShare(headlineCell),
    },
    {
      name: 'streams per processor time, of the bare proxy’s',
      kind: 'at least',
      bound: bounds.streamCpuShare,
      value: cpuShare(streamCell),
    },
    {
      name: 'median of a lone request, times the bare proxy’s',
      kind: 'at most',
      bound: bounds.loneLatencyTimes,
      value: p50Of('sluice') / p50Of('bare'),
    },
    {
      name: 'garbage of a request, KB',
      kind: 'at most',
      bound: bounds.garbageKb,
      value: rowOf('sluice', headlineCell)?.garbage_kb_per_request ?? Number.NaN,
    },
    ...doors.flatMap(([name, path, bound, cells]) =>
      cells.map((cell): Check => {
        const row = rows.find((each) => isRowOf(each, name, cell));
        const what = cell.isStreaming ? 'stream' : 'request';
        return {
          name: `processor time of a ${what} by ${path}, times that by /responses`,
          kind: 'at most',
          bound,
          value: row?.cpu_times_of_responses ?? Number.NaN,
        };
      }),
    ),
  ];
}

/** A line for each, and whether it holds. */
export function checkLines(checks: readonly Check[]): readonly string[] {
  return checks.map((check) => {
    const bound = `${check.kind} ${check.bound}`;
    return `${passes(check) ? 'holds ' : 'BROKEN'}  ${check.name}: ${check.value.toFixed(2)} (${bound})`;
  });
}
