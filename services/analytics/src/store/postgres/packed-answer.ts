import type { Question } from '@sluice/analytics-model';
import type { Statement } from '@sluice/read-model';
import { namedKinds } from '../tables.ts';

/** The one row of a packed answer: a list for each column, or null if the answer has no rows. */
export type PackedAnswer = Readonly<Record<string, readonly unknown[] | null>>;

function columnsOf({ granularity, dimensions, metrics }: Question): readonly string[] {
  return [
    ...(granularity ? ['bucket_second'] : []),
    ...dimensions.flatMap((name, index) => [
      `label_${index}`,
      ...(namedKinds[name] === undefined ? [] : [`email_${index}`]),
    ]),
    ...metrics,
  ];
}

/**
 * Makes a statement return its rows as one row of lists. An answer of a year has 10,000 rows, and the client takes
 * several times as long to read each of them as to read the lists. JSON makes the nearest number of each integer, and
 * that is the number that an answer shows.
 */
export function packed({ text, values }: Statement, question: Question): Statement {
  const lists = columnsOf(question).map((name) => `json_agg(${name}) AS ${name}`);
  return { text: `SELECT ${lists.join(', ')} FROM (${text}) AS answer`, values };
}
