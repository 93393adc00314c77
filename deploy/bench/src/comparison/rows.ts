import { percentile } from '../percentile.ts';
import { subjectNames, type SubjectName } from '../subjects/subject.ts';
import { type Cell, nameOf } from './plan.ts';
import { type FigureName, figureNames, type Figures, type Sample, sumOfFaults } from './sample.ts';

/** The requests per second divided by those of the other subject, in the same cell and round. */
export interface Ratios {
  readonly vs_portkey: number | null;
  readonly vs_bare_proxy: number | null;
}

/** One line of `results.json`: medians over the rounds. Numbers are null where answers were not right. */
export interface Row extends Readonly<Record<FigureName | 'deltas_per_second', number | null>> {
  readonly name: SubjectName;
  /** Bytes of the request. */
  readonly body: number;
  readonly concurrency: number;
  readonly streaming: boolean;
  readonly upstream_delay_ms: number;
  /** Words of an answer. */
  readonly deltas: number;
  readonly latencies_counted: number;
  readonly rounds: number;
  /** False: it was still at work 10 s after the answers, and what it did later is not counted. */
  readonly came_to_rest: boolean;
  /** Number of wrong answers by kind of fault; empty in a valid row. */
  readonly faults: Readonly<Record<string, number>>;
  readonly ratios: Ratios;
  /** The processor time per request of the other subject divided by this one's, in the same cell and round. */
  readonly cpu_ratios: Ratios;
  /** The processor time divided by that of the same request by `POST /responses` of Sluice, in the same round. */
  readonly cpu_times_of_responses: number | null;
}

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
  const faults = sumOfFaults(own);
  const isRight = Object.keys(faults).length === 0;
  const medianOf = (figure: FigureName) =>
    isRight ? median(own.map(({ figures }) => figures?.[figure] ?? Number.NaN)) : null;
  const figures = Object.fromEntries(figureNames.map((one) => [one, medianOf(one)])) as Readonly<
    Record<FigureName, number | null>
  >;
  const { rps } = figures;
  const ratiosBy = (compare: Compare): Ratios => ({
    vs_portkey: ratioOf(own, all, { other: 'portkey', compare }),
    vs_bare_proxy: ratioOf(own, all, { other: 'bare', compare }),
  });
  return {
    name,
    body: cell.bodyBytes,
    concurrency: cell.concurrency,
    streaming: cell.isStreaming,
    upstream_delay_ms: cell.upstreamDelayMs,
    deltas: cell.deltas,
    ...figures,
    deltas_per_second: cell.isStreaming && rps !== null ? rounded(rps * cell.deltas) : null,
    latencies_counted: own.reduce((sum, { latenciesCounted }) => sum + latenciesCounted, 0),
    rounds: own.length,
    came_to_rest: own.every(({ isAtRest }) => isAtRest),
    faults,
    ratios: ratiosBy((mine, its) => mine.rps / its.rps),
    cpu_ratios: ratiosBy((mine, its) => its.cpu_us_per_request / mine.cpu_us_per_request),
    cpu_times_of_responses: ratioOf(own, all, {
      other: 'sluice',
      compare: (mine, its) => mine.cpu_us_per_request / its.cpu_us_per_request,
    }),
  };
}

type Compare = (mine: Figures, its: Figures) => number;

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
  return median(
    pairs.map(([mine, its]) =>
      mine.figures && its.figures ? compare(mine.figures, its.figures) : Number.NaN,
    ),
  );
}

function median(values: readonly number[]): number | null {
  const value = percentile(values, 0.5);
  return Number.isFinite(value) ? rounded(value) : null;
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
