import { type MetricName, metricOf, type Question, valueOfBin } from '@sluice/analytics-model';
import type { AnswerRow } from '../analytics-store.ts';
import { namedKinds } from '../tables.ts';
import type { PackedAnswer } from './packed-answer.ts';

/** Writes a value of the rows in turn. */
interface AnswerColumn<Value> {
  readonly name: string;
  readonly of: (index: number) => Value;
}

/** Returns the rows of an answer, up to its limit, and whether there are more. */
export function answerRows(
  answer: PackedAnswer | undefined,
  { dimensions, metrics, granularity, limit }: Question,
): { readonly rows: readonly AnswerRow[]; readonly truncated: boolean } {
  const listOf = (column: string) => answer?.[column] ?? [];
  const texts = (name: string, column: string): AnswerColumn<string | null> => {
    const list = listOf(column);
    return { name, of: (index) => (list[index] ?? null) as string | null };
  };
  const labels = dimensions.map((name, index) => texts(name, `label_${index}`));
  const emails = dimensions.flatMap((name, index) =>
    namedKinds[name] === 'member' ? [texts(name, `email_${index}`)] : [],
  );
  const numbers = metrics.map((name) => numberColumn(name, listOf(name)));
  const seconds = listOf('bucket_second');
  const found = listOf(granularity ? 'bucket_second' : (metrics[0] ?? '')).length;
  const rows = Array.from({ length: Math.min(found, limit) }, (_, index) => ({
    at: granularity ? new Date(Number(seconds[index]) * 1_000) : undefined,
    dimensions: valuesAt(labels, index),
    emails: valuesAt(emails, index),
    metrics: valuesAt(numbers, index),
  }));
  return { rows, truncated: found > limit };
}

function valuesAt<Value>(columns: readonly AnswerColumn<Value>[], index: number) {
  const values: Record<string, Value> = {};
  for (const { name, of } of columns) values[name] = of(index);
  return values;
}

const nanosOfUsd = 1e9;

/** Returns a column of numbers in the unit that the metric has: dollars, milliseconds, tokens. */
function numberColumn(name: MetricName, list: readonly unknown[]): AnswerColumn<number | null> {
  const { value, format } = metricOf(name);
  const isMoney = format === 'currency' && value.kind === 'sum';
  const shown = (stored: number) => {
    if (value.kind === 'quantile') return valueOfBin(stored);
    return isMoney ? stored / nanosOfUsd : stored;
  };
  return {
    name,
    of: (index) => {
      const stored = list[index] as number | null;
      return stored === null ? null : shown(stored);
    },
  };
}
