import { type DimensionName, dimensionNames, yearDimensions } from './dimensions.ts';
import { type AskedQuestion, parseQuestion, type QuestionIssue } from './parse-question.ts';
import type { Filter, Question } from './question.ts';

export const exportFormats = ['parquet', 'csv'] as const;
export type ExportFormat = (typeof exportFormats)[number];

interface ExportTable {
  /** The dimensions of its rows. */
  readonly dimensions: readonly DimensionName[];
  /** A time range begins and ends at whole buckets. */
  readonly bucket: 'hour' | 'day' | undefined;
  /** The longest time range, in days. */
  readonly days: number;
}

/** The tables of which all rows of a time range can be exported. */
export const exportTables = {
  facts: { dimensions: dimensionNames, bucket: undefined, days: 31 },
  usage_hour: {
    dimensions: dimensionNames.filter((name) => name !== 'generation_id'),
    bucket: 'hour',
    days: 62,
  },
  usage_day: { dimensions: yearDimensions, bucket: 'day', days: 400 },
} as const satisfies Readonly<Record<string, ExportTable>>;

export type ExportTableName = keyof typeof exportTables;
export const exportTableNames = Object.keys(exportTables) as readonly ExportTableName[];

/** The most that one export has. A file of a workspace has at most so many bytes, too. */
export const exportBounds = { rows: 1_000_000, bytes: 100_000_000 } as const;

/** An export as a client asks for it: a question, or a table with a time range and filters. */
export interface AskedExport extends Omit<AskedQuestion, 'metrics'> {
  readonly metrics?: readonly string[] | undefined;
  readonly table?: string | undefined;
}

/** An export that follows the rules. Instants are in milliseconds. */
export type ExportRequest =
  | { readonly kind: 'question'; readonly question: Question }
  | {
      readonly kind: 'table';
      readonly table: ExportTableName;
      readonly startMs: number;
      readonly endMs: number;
      readonly filters: readonly Filter[];
    };

type Parsed = { readonly request: ExportRequest } | { readonly issues: readonly QuestionIssue[] };

/** Checks the rules of an export. Returns it, or each rule that it breaks with the path of the field. */
export function parseExport(asked: AskedExport, now: Date): Parsed {
  if (asked.table !== undefined) return parseTable(asked, now);
  const { metrics = [] } = asked;
  if (metrics.length === 0)
    return { issues: [{ path: 'metrics', message: 'must be there unless a table is exported' }] };
  const parsed = parseQuestion({ ...asked, metrics }, now);
  if ('issues' in parsed) return parsed;
  const { question } = parsed;
  // One more row than an export may have: then it fails, and is not cut.
  const limit = asked.limit ?? exportBounds.rows + 1;
  return { request: { kind: 'question', question: { ...question, limit } } };
}

const questionFields = [
  'metrics',
  'dimensions',
  'granularity',
  'order_by',
  'limit',
  'group_limit',
  'as_of',
] as const;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const bucketMs = { hour: hourMs, day: dayMs } as const;

function parseTable(asked: AskedExport, now: Date): Parsed {
  const issues: QuestionIssue[] = [];
  const say = (path: string, message: string) => void issues.push({ path, message });
  const name = exportTableNames.find((one) => one === asked.table);
  if (!name) say('table', `must be one of ${exportTableNames.join(', ')}`);
  for (const field of questionFields)
    if (isGiven(asked[field])) say(field, 'is for questions: a table is exported with all columns');
  if (!name || issues.length > 0) return { issues };
  const { bucket, days, dimensions }: ExportTable = exportTables[name];
  const lastMs = bucket ? floorTo(now.getTime(), bucketMs[bucket]) : now.getTime();
  // `request_count` may be asked for over a year, so the range is bounded by the filters and by the table below.
  const parsed = parseQuestion(
    { metrics: ['request_count'], filters: asked.filters, time_range: asked.time_range },
    new Date(lastMs),
  );
  if ('issues' in parsed) return parsed;
  const { startMs, endMs, filters } = parsed.question;
  for (const [index, { field }] of filters.entries())
    if (!dimensions.includes(field)) say(`filters.${index}.field`, `is no column of ${name}`);
  if (bucket && startMs % bucketMs[bucket] !== 0)
    say('time_range.start', `must be the start of ${articleOf[bucket]} in UTC`);
  if (bucket && endMs % bucketMs[bucket] !== 0)
    say('time_range.end', `must be the start of ${articleOf[bucket]} in UTC`);
  if (endMs - startMs > days * dayMs) say('time_range', `must be at most ${days} days for ${name}`);
  if (issues.length > 0) return { issues };
  return { request: { kind: 'table', table: name, startMs, endMs, filters } };
}

const articleOf = { hour: 'an hour', day: 'a day' } as const;
const floorTo = (ms: number, unit: number) => Math.floor(ms / unit) * unit;

const isGiven = (value: unknown) =>
  value !== undefined && !(Array.isArray(value) && value.length === 0);
