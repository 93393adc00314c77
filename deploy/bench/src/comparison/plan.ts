/** One combination of load parameters. Subjects are measured with it one after the other. */
export interface Cell {
  readonly bodyBytes: number;
  readonly concurrency: number;
  readonly isStreaming: boolean;
  readonly upstreamDelayMs: number;
  /** Words of an answer; in a stream each is an event of its own. */
  readonly deltas: number;
}

export interface PlannedCell extends Cell {
  /** Duration of the closed loop, which measures throughput. */
  readonly closedMs: number;
  /** Duration of the open loop, which measures latency. */
  readonly openMs: number;
}

export interface Plan {
  readonly cells: readonly PlannedCell[];
  readonly rounds: number;
  /** From the start of everything. After the first round no cell begins that would end later. */
  readonly budgetMs: number;
  /** Longest warm-up of each subject, before the first round. */
  readonly warmUpMsMax: number;
}

const bodies = [200, 10 * 1024, 200 * 1024] as const;
const concurrencies = [1, 32, 128] as const;
const delaysMs = [0, 20] as const;
const modes = [false, true] as const;
const fewDeltas = 32;
const manyDeltas = 512;

/** The cell that the ratios at the top are of: small bodies, one processor full of them. */
export const headlineCell: Cell = {
  bodyBytes: bodies[0],
  concurrency: 32,
  isStreaming: false,
  upstreamDelayMs: 0,
  deltas: fewDeltas,
};

/** Streams so long that what counts is what each of their events costs. */
export const longStreamCell: Cell = { ...headlineCell, isStreaming: true, deltas: manyDeltas };

/** The cell that added latency is read from: one request at a time, at the same rate for everyone. */
export const latencyCell: Cell = { ...headlineCell, concurrency: 1 };

const everyCell: readonly Cell[] = delaysMs.flatMap((upstreamDelayMs) =>
  modes.flatMap((isStreaming) =>
    bodies.flatMap((bodyBytes) =>
      concurrencies.map((concurrency) => ({
        bodyBytes,
        concurrency,
        isStreaming,
        upstreamDelayMs,
        deltas: fewDeltas,
      })),
    ),
  ),
);

const isSame = (one: Cell, other: Cell) => nameOf(one) === nameOf(other);

/** Names a cell in reports, as `200 B × 32, streaming, upstream 20 ms`. */
export function nameOf(cell: Cell): string {
  const { bodyBytes, concurrency, isStreaming, upstreamDelayMs, deltas } = cell;
  const size = bodyBytes < 1_024 ? `${bodyBytes} B` : `${bodyBytes / 1_024} KB`;
  const words = deltas === fewDeltas ? '' : ` ${deltas} words`;
  const mode = isStreaming ? `, streaming${words}` : words;
  return `${size} × ${concurrency}${mode}${upstreamDelayMs > 0 ? `, upstream ${upstreamDelayMs} ms` : ''}`;
}

/** Every combination and long streams: 37 cells, in less than 17 minutes with the start of everything. */
export const fullPlan: Plan = {
  rounds: 3,
  budgetMs: 16 * 60_000,
  warmUpMsMax: 60_000,
  cells: [...everyCell, longStreamCell].map((cell) => {
    if (isSame(cell, latencyCell)) return { ...cell, closedMs: 800, openMs: 2_000 };
    return cell.upstreamDelayMs === 0
      ? { ...cell, closedMs: 800, openMs: 500 }
      : { ...cell, closedMs: 400, openMs: 200 };
  }),
};

/** The most telling cells, in less than 5 minutes including the start and the warm-up of all processes. */
export const quickPlan: Plan = {
  rounds: 2,
  budgetMs: 270_000,
  warmUpMsMax: 30_000,
  cells: [
    { ...headlineCell, closedMs: 1_200, openMs: 600 },
    { ...latencyCell, closedMs: 500, openMs: 1_300 },
    { ...headlineCell, isStreaming: true, closedMs: 1_000, openMs: 500 },
    { ...latencyCell, isStreaming: true, closedMs: 400, openMs: 800 },
    { ...longStreamCell, closedMs: 1_000, openMs: 200 },
    { ...headlineCell, bodyBytes: bodies[1], closedMs: 700, openMs: 200 },
    { ...headlineCell, upstreamDelayMs: 20, closedMs: 500, openMs: 200 },
  ],
};

/** The cells that the guard checks, long enough to average out other load on the machine. */
export const guardPlan: Plan = {
  rounds: 7,
  budgetMs: 420_000,
  warmUpMsMax: 60_000,
  cells: [
    { ...headlineCell, closedMs: 1_500, openMs: 200 },
    { ...headlineCell, isStreaming: true, closedMs: 1_500, openMs: 200 },
    { ...latencyCell, closedMs: 500, openMs: 1_500 },
  ],
};

/** The cells that show a change of the sources: enough rounds that the medians of both settle, in eleven minutes. */
export const beforeAndAfterPlan: Plan = {
  ...guardPlan,
  rounds: 9,
  budgetMs: 660_000,
  cells: [
    ...guardPlan.cells,
    { ...longStreamCell, closedMs: 1_500, openMs: 200 },
    { ...headlineCell, bodyBytes: bodies[1], closedMs: 1_500, openMs: 200 },
  ],
};
