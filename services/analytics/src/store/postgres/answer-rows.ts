import { type MetricName, metricOf, type Question, valueOfBin } from '@sluice/analytics-model';
import { nanoUsdToNumber } from '@sluice/inference';
import type { AnswerRow } from '../analytics-store.ts';
import { namedKinds } from '../tables.ts';

export type StoredAnswer = Readonly<Record<string, unknown>>;

type Texts = Record<string, string | null>;

/** Returns the rows of an answer. An answer of a year has 10,000, so names are looked up once for all. */
export function answerRows(
  found: readonly StoredAnswer[],
  { dimensions, metrics, granularity }: Question,
): readonly AnswerRow[] {
  const labels = dimensions.map((name, index) => [name, `label_${index}`] as const);
  const emails = dimensions.flatMap((name, index) =>
    namedKinds[name] === 'member' ? [[name, `email_${index}`] as const] : [],
  );
  const numbers = metrics.map((name) => [name, numberOf(name)] as const);
  return found.map((row) => {
    const values: Record<string, number | null> = {};
    for (const [name, shown] of numbers) values[name] = shown(row[name] ?? null);
    return {
      at: granularity ? new Date(Number(row['bucket_second']) * 1_000) : undefined,
      dimensions: textsOf(row, labels),
      emails: textsOf(row, emails),
      metrics: values,
    };
  });
}

function textsOf(row: StoredAnswer, columns: readonly (readonly [string, string])[]): Texts {
  const texts: Texts = {};
  for (const [name, column] of columns) texts[name] = (row[column] ?? null) as string | null;
  return texts;
}

/** Returns a function that makes a number of the unit that the metric has: dollars, milliseconds, tokens. */
function numberOf(name: MetricName): (value: unknown) => number | null {
  const { value: made, format } = metricOf(name);
  if (made.kind === 'quantile') return (bin) => (bin === null ? null : valueOfBin(Number(bin)));
  const isMoney = format === 'currency';
  return (value) => {
    if (value === null) return null;
    return isMoney && typeof value === 'bigint' ? nanoUsdToNumber(value) : Number(value);
  };
}
