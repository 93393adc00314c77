import { type Fields, isFields } from '../api/show.ts';

export type Row = Fields;

/** The parts of an answer. A part that the service leaves out is empty. */
export interface Answered {
  readonly rows: readonly Row[];
  readonly isTruncated: boolean;
  readonly warnings: readonly string[];
}

export function answeredOf(answer: unknown): Answered {
  const data = fieldOf(answer, 'data');
  const [rows, warnings] = [fieldOf(data, 'data'), fieldOf(data, 'warnings')];
  return {
    rows: Array.isArray(rows) ? rows.filter(isFields) : [],
    isTruncated: fieldOf(fieldOf(data, 'metadata'), 'truncated') === true,
    warnings: textsOf(warnings),
  };
}

/** Begins the name of the column with buckets of time: `date__day`. */
const bucketPrefix = 'date__';
export const isBucketColumn = (column: string) => column.startsWith(bucketPrefix);
export const granularityOf = (column: string) => column.slice(bucketPrefix.length);

/** Returns the columns of the rows. Without rows they are what the question asks for. */
export function columnsOf(rows: readonly Row[], question: Row): readonly string[] {
  if (rows.length > 0) return [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const { granularity, dimensions, metrics } = question;
  const bucket = typeof granularity === 'string' ? [`${bucketPrefix}${granularity}`] : [];
  return [...bucket, ...textsOf(dimensions), ...textsOf(metrics)];
}

export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

export const fieldOf = (value: unknown, name: string): unknown =>
  isFields(value) ? value[name] : undefined;
