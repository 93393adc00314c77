import { type Paper, partsOf } from './bars.ts';
import { shortNumber } from './numbers.ts';
import { cutTo } from './text-width.ts';

export interface Point {
  readonly atMs: number;
  /** Null: nothing was recorded. */
  readonly value: number | null;
}

export interface Axes {
  readonly granularity: string;
  /** The value of a column of full height. */
  readonly most: number;
  readonly height: number;
  /** The start of the first bucket and of the last one. */
  readonly span: readonly [firstMs: number, lastMs: number];
}

const eighths = ' ▁▂▃▄▅▆▇█';
const columnWidthMax = 6;

/** Draws a column for each bucket. Buckets without usage are empty. If there are too many, the newest are drawn. */
export function drawColumns(
  points: readonly Point[],
  { granularity, most, height, span }: Axes,
  { width, isPlain }: Paper,
): readonly string[] {
  const top = shortNumber(most);
  const axisWidth = top.length + 2;
  const room = Math.max(1, width - axisWidth);
  const series = newest(points, { granularity, span }, room);
  const columnWidth = Math.min(columnWidthMax, Math.floor(room / series.length));
  const line = isPlain ? '|' : '│';
  const lines = Array.from({ length: height }, (_, index) => {
    const below = (height - 1 - index) * 8;
    const drawn = series.map(({ value }) => {
      const parts = Math.min(8, Math.max(0, partsOf(value ?? 0, most, height * 8) - below));
      const cell = (isPlain ? ' .......#' : eighths).charAt(parts);
      return columnWidth > 1 ? `${cell.repeat(columnWidth - 1)} ` : cell;
    });
    const label = (index === 0 ? top : '').padStart(top.length);
    return `${label} ${line}${drawn.join('')}`.trimEnd();
  });
  const drawnWidth = columnWidth * series.length;
  const axis = `${'0'.padStart(top.length)} ${isPlain ? '+' : '└'}${(isPlain ? '-' : '─').repeat(drawnWidth)}`;
  const [first, last] = [series[0], series.at(-1)].map((point) => labelOf(point, granularity));
  const dates = first === last ? first : `${first} ${isPlain ? '..' : '…'} ${last}`;
  const left = points.filter(({ atMs }) => atMs < (series[0]?.atMs ?? 0)).length;
  const beside = left > 0 ? [`${left} earlier ones are not drawn`] : [];
  return [...lines, axis, `${' '.repeat(axisWidth)}${dates}`, ...beside].map((each) =>
    cutTo(each, width),
  );
}

/** Returns the newest buckets in the order of time, also those without usage between others. */
function newest(
  points: readonly Point[],
  { granularity, span }: Pick<Axes, 'granularity' | 'span'>,
  most: number,
): readonly Point[] {
  const byTime = new Map(points.map((point) => [point.atMs, point]));
  const [firstMs, lastMs] = span;
  const filled: Point[] = [];
  for (let atMs = lastMs; atMs >= firstMs && filled.length < most;) {
    filled.unshift(byTime.get(atMs) ?? { atMs, value: null });
    const before = bucketBefore(atMs, granularity);
    if (before === undefined)
      return points.toSorted((one, other) => one.atMs - other.atMs).slice(-most);
    atMs = before;
  }
  return filled;
}

const minuteMs = 60_000;
const lengths: Readonly<Record<string, number>> = {
  minute: minuteMs,
  hour: 60 * minuteMs,
  day: 24 * 60 * minuteMs,
  week: 7 * 24 * 60 * minuteMs,
};

/** Returns the start of the bucket before, or undefined for a granularity of a newer Sluice. */
function bucketBefore(atMs: number, granularity: string): number | undefined {
  if (granularity !== 'month') {
    const length = lengths[granularity];
    return length && atMs - length;
  }
  const at = new Date(atMs);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - 1, 1);
}

function labelOf(point: Point | undefined, granularity: string): string {
  const text = new Date(point?.atMs ?? 0).toISOString();
  if (granularity === 'month') return text.slice(0, 7);
  return ['day', 'week'].includes(granularity)
    ? text.slice(0, 10)
    : text.slice(0, 16).replace('T', ' ');
}
