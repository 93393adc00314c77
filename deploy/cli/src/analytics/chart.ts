import { type Bar, drawBars, type Paper } from './bars.ts';
import { type Axes, drawColumns, type Point } from './columns.ts';
import { columnsOf, granularityOf, isBucketColumn, type Row, textsOf } from './rows.ts';
import { cutTo, visible } from './text-width.ts';

const plainWidth = 80;
/** Groups of a time series that have a picture each. */
const groupsMax = 8;
const height = { alone: 8, besideOthers: 4 } as const;

/** Draws a picture for each metric of the question. Without a terminal it is plain text of 80 columns. */
export function drawChart(
  rows: readonly Row[],
  question: Row,
  terminalWidth: number | undefined,
): readonly string[] {
  if (rows.length === 0) return ['No usage.'];
  // A terminal that does not know its width says 0.
  const paper = { width: terminalWidth || plainWidth, isPlain: terminalWidth === undefined };
  const metrics = textsOf(question['metrics']);
  const others = columnsOf(rows, question).filter((column) => !metrics.includes(column));
  const bucket = others.find(isBucketColumn);
  const dimensions = others.filter((column) => column !== bucket);
  return metrics.flatMap((metric, index) => [
    ...(index === 0 ? [] : ['']),
    ...(bucket === undefined
      ? [headingOf(metric, paper), ...drawBars(barsOf(rows, metric, dimensions), paper)]
      : drawSeries(rows, { metric, bucket, dimensions }, paper)),
  ]);
}

const headingOf = (text: string, { width }: Paper) => cutTo(visible(text), width);

function barsOf(rows: readonly Row[], metric: string, dimensions: readonly string[]) {
  return rows.map((row): Bar => ({ name: nameOf(row, dimensions), value: numberOf(row[metric]) }));
}

/** Names a group. The address of a user stands for the id. */
function nameOf(row: Row, dimensions: readonly string[]): string {
  const hasEmail = typeof row['user_email'] === 'string';
  const parts = dimensions
    .filter((dimension) => dimension !== (hasEmail ? 'user' : 'user_email'))
    .map((dimension) => visible(textOf(row[dimension])));
  return parts.length > 0 ? parts.join(', ') : 'all';
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '-';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

interface Series {
  readonly metric: string;
  readonly bucket: string;
  readonly dimensions: readonly string[];
}

/** The columns of all groups have one scale and one range of time. */
function drawSeries(
  rows: readonly Row[],
  { metric, bucket, dimensions }: Series,
  paper: Paper,
): readonly string[] {
  // Hostile names may look the same: groups are told apart by their values.
  const groups = new Map<string, { readonly name: string; readonly points: Point[] }>();
  for (const row of rows) {
    const atMs = Date.parse(String(row[bucket]));
    if (Number.isNaN(atMs)) continue;
    const key = JSON.stringify(dimensions.map((dimension) => row[dimension]));
    const group = groups.get(key) ?? { name: nameOf(row, dimensions), points: [] };
    group.points.push({ atMs, value: numberOf(row[metric]) });
    groups.set(key, group);
  }
  const sumOf = ({ points }: { readonly points: readonly Point[] }) =>
    points.reduce((sum, { value }) => sum + (value ?? 0), 0);
  const drawn = [...groups.values()].toSorted((a, b) => sumOf(b) - sumOf(a)).slice(0, groupsMax);
  const most = Math.max(0, ...drawn.flatMap(({ points }) => points.map(({ value }) => value ?? 0)));
  const times = drawn.flatMap(({ points }) => points.map(({ atMs }) => atMs));
  const axes: Axes = {
    span: [Math.min(...times), Math.max(...times)],
    granularity: granularityOf(bucket),
    most,
    height: drawn.length > 1 ? height.besideOthers : height.alone,
  };
  const more = groups.size - drawn.length;
  return [
    ...drawn.flatMap(({ name, points }, index) => [
      ...(index === 0 ? [] : ['']),
      headingOf(dimensions.length > 0 ? `${metric}: ${name}` : metric, paper),
      ...drawColumns(points, axes, paper),
    ]),
    ...(more > 0 ? [`and ${more} more groups`] : []),
  ].map((line) => cutTo(line, paper.width));
}
