import { metricOf, type MetricName, type Question, valueOfBin } from '@sluice/analytics-model';
import { nanoUsdToNumber } from '@sluice/inference';
import type { AnswerRow } from '../analytics-store.ts';
import { namedKinds } from '../tables.ts';

export type StoredAnswer = Readonly<Record<string, string | number | null>>;

/** Returns a row of an answer. 64-bit integers come as texts. */
export function answerRow(
  row: StoredAnswer,
  { dimensions, metrics, granularity }: Question,
): AnswerRow {
  const labels = dimensions.map((name, index) => [name, row[`label_${index}`] ?? null]);
  const emails = dimensions.flatMap((name, index) =>
    namedKinds[name] === 'member' ? [[name, row[`email_${index}`] ?? null]] : [],
  );
  return {
    at: granularity ? new Date(Number(row['bucket']) * 1_000) : undefined,
    dimensions: Object.fromEntries(labels) as AnswerRow['dimensions'],
    emails: Object.fromEntries(emails) as AnswerRow['emails'],
    metrics: Object.fromEntries(metrics.map((name) => [name, shown(name, row[`value_${name}`])])),
  };
}

/** Returns a number of the unit that the metric has: dollars, milliseconds, tokens. */
function shown(name: MetricName, value: string | number | null | undefined): number | null {
  if (value === null || value === undefined) return null;
  const metric = metricOf(name);
  if (metric.value.kind === 'quantile') return valueOfBin(Number(value));
  return metric.format === 'currency' ? nanoUsdToNumber(BigInt(value)) : Number(value);
}
