import { metricOf, type Question } from '@sluice/analytics-model';
import type { Statement } from '@sluice/read-model';
import { namedKinds } from '../tables.ts';
import type { StoredAnswer } from './answer-rows.ts';

/** A column of an answer, all of whose values come in one list. */
interface PackedColumn {
  readonly name: string;
  /** 64-bit integers, of which JSON would lose digits. */
  readonly isInteger: boolean;
}

function columnsOf({ granularity, dimensions, metrics }: Question): readonly PackedColumn[] {
  return [
    ...(granularity ? [{ name: 'bucket_second', isInteger: true }] : []),
    ...dimensions.flatMap((name, index) => [
      { name: `label_${index}`, isInteger: false },
      ...(namedKinds[name] === undefined ? [] : [{ name: `email_${index}`, isInteger: false }]),
    ]),
    ...metrics.map((name) => ({ name, isInteger: metricOf(name).value.kind === 'sum' })),
  ];
}

/** The one row of a packed answer: a list for each column, or null if the answer has no rows. */
export type PackedAnswer = Readonly<Record<string, readonly unknown[] | null>>;

/**
 * Makes a statement return its rows as one row of lists. An answer of a year has 10,000 rows, and the client takes
 * several times as long to read each of them as to read the lists.
 */
export function packed({ text, values }: Statement, question: Question): Statement {
  const lists = columnsOf(question).map(({ name, isInteger }) =>
    isInteger ? `array_agg(${name}) AS ${name}` : `json_agg(${name}) AS ${name}`,
  );
  return { text: `SELECT ${lists.join(', ')} FROM (${text}) AS answer`, values };
}

/** Returns the rows of a packed answer, in their order. */
export function unpacked(
  answer: PackedAnswer | undefined,
  question: Question,
): readonly StoredAnswer[] {
  const columns = columnsOf(question).map(({ name }) => [name, answer?.[name] ?? []] as const);
  const [[, first] = ['', []]] = columns;
  return Array.from({ length: first.length }, (_, index) => {
    const row: Record<string, unknown> = {};
    for (const [name, values] of columns) row[name] = values[index];
    return row;
  });
}
