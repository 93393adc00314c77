import {
  type DimensionName,
  type Measure,
  type MetricName,
  metricOf,
  type MetricValue,
  type Question,
  type SketchName,
} from '@sluice/analytics-model';
import { dimensionColumns, namedKinds } from '../tables.ts';
import type { Segment } from '../plan.ts';
import { sketchColumns } from './columns.ts';
import type { ClickHouseStatement } from './engine.ts';
import { Parameters } from './parameters.ts';
import { bucketStarts, comparable, sourcesOf } from './sources.ts';

/**
 * Builds the statement that answers a question from the segments of its time range. Columns come from the tables of
 * metrics and dimensions, and each value is a parameter. It asks for one row more than the limit.
 */
export function buildQuery(
  accountId: string,
  question: Question,
  segments: readonly Segment[],
): ClickHouseStatement {
  const parameters = new Parameters();
  const account = parameters.add(accountId, 'String');
  const columns = question.dimensions.map((name) => dimensionColumns[name]);
  const keys = [...(question.granularity ? ['bucket'] : []), ...columns];
  const asked: readonly MetricName[] = [
    ...new Set([...question.metrics, ...orderMetric(question)]),
  ];
  const needed = [...new Set<Measure>(['requests', ...asked.flatMap(measuresOf)])];
  const sketches = sketchColumns.filter(({ name }) => asked.some((one) => sketchOf(one) === name));
  const bucket = question.granularity
    ? [`toUnixTimestamp(${bucketStarts[question.granularity]}) AS bucket`]
    : [];
  const selected = [
    ...bucket,
    ...columns,
    ...needed,
    ...sketches.flatMap(({ bins, counts }) => [bins, counts]),
  ];
  const { filters, asOfMs } = question;
  const sources = sourcesOf({ account, segments, filters, selected, parameters, asOfMs });
  const sums = needed.map((name) => `sum(${name}) AS sum_${name}`);
  const merged = sketches.map(
    ({ name, bins, counts }) => `sumMap(${bins}, ${counts}) AS sketch_${name}`,
  );
  const groups = keys.length === 0 ? '' : `GROUP BY ${keys.join(', ')}`;
  const isUsed = needed.map((name) => `ifNull(sum_${name}, 0) <> 0`).join(' OR ');
  const values = asked.map((name) => `${expressionOf(metricOf(name).value)} AS value_${name}`);
  const named = question.dimensions.map((name, index) => nameJoin(name, index, account));
  const order = orderOf(question);
  const text = `WITH
    grouped AS (
      SELECT ${[...keys, ...sums, ...merged].join(', ')} FROM (${sources.join(' UNION ALL ')}) AS source
      ${groups} HAVING ${isUsed}),
    valued AS (
      SELECT ${[
        ...keys.map((key) => `grouped.${key} AS ${key}`),
        ...named.flatMap(({ shown }) => shown),
        ...values,
      ].join(', ')}
      FROM grouped ${named.map(({ join }) => join).join(' ')})
    ${limited(question, { columns, order, parameters })}
    ORDER BY ${order} LIMIT ${parameters.add(question.limit + 1, 'UInt32')}`;
  return { text, values: parameters.values };
}

/** Keeps so many rows of each combination of dimensions, where that is asked for. */
function limited(
  { groupLimit, dimensions }: Question,
  parts: {
    readonly columns: readonly string[];
    readonly order: string;
    readonly parameters: Parameters;
  },
): string {
  if (groupLimit === undefined || dimensions.length === 0) return 'SELECT * FROM valued';
  const { columns, order, parameters } = parts;
  return `SELECT * FROM (
      SELECT *, row_number() OVER (PARTITION BY ${columns.join(', ')} ORDER BY ${order}) AS place
      FROM valued) AS placed
    WHERE place <= ${parameters.add(groupLimit, 'UInt32')}`;
}

function expressionOf(value: MetricValue): string {
  switch (value.kind) {
    case 'sum':
      return sumOf(value.of);
    case 'ratio':
      return `(${value.scale} * toFloat64(${sumOf(value.of)}) / nullIf(toFloat64(${sumOf(value.to)}), 0))`;
    case 'quantile':
      return quantileOf(value.of, value.at);
  }
}

/** The first bin whose rank is reached, as in DDSketch. A merged sketch has its bins in order. */
function quantileOf(sketch: SketchName, at: number): string {
  const [bins, counts] = [1, 2].map((index) => `tupleElement(grouped.sketch_${sketch}, ${index})`);
  return `if(empty(${bins}), NULL, toNullable(arrayFirst(
    (bin, reached) -> reached > ${at} * (arraySum(${counts}) - 1), ${bins}, arrayCumSum(${counts}))))`;
}

function sketchOf(name: MetricName): SketchName | undefined {
  const { value } = metricOf(name);
  return value.kind === 'quantile' ? value.of : undefined;
}

/** Returns the measures that a metric is calculated from. A percentile needs to know whether there is a value. */
function measuresOf(name: MetricName): readonly Measure[] {
  const { value } = metricOf(name);
  if (value.kind === 'sum') return value.of;
  if (value.kind === 'ratio') return [...value.of, ...value.to];
  if (value.kind === 'quantile') return [`${value.of}_count`];
  return [];
}

const sumOf = (names: readonly Measure[]) =>
  `(${names.map((name) => `grouped.sum_${name}`).join(' + ')})`;

/** Joins the name of an entity. Its e-mail address is a second field of a member. */
function nameJoin(name: DimensionName, index: number, account: string) {
  const column = `grouped.${dimensionColumns[name]}`;
  const kind = namedKinds[name];
  if (kind === undefined) return { shown: [`nullIf(${column}, '') AS label_${index}`], join: '' };
  const alias = `name_${index}`;
  // A member without a name has none to show. A key and a workspace have their ids.
  const other = kind === 'member' ? 'NULL' : `nullIf(${column}, '')`;
  return {
    shown: [
      `coalesce(nullIf(${alias}.name, ''), ${other}) AS label_${index}`,
      `nullIf(${alias}.email, '') AS email_${index}`,
    ],
    join: `LEFT JOIN (
        SELECT entity_id, name, email FROM names FINAL WHERE account_id = ${account} AND kind = '${kind}'
      ) AS ${alias} ON ${alias}.entity_id = ${column}`,
  };
}

function orderMetric({ orderBy }: Question): readonly MetricName[] {
  return orderBy?.field === 'request_count' ? ['request_count'] : [];
}

/** Newest first where there are buckets, then what is most of the first metric. Equal rows have an order too. */
function orderOf(question: Question): string {
  const { orderBy, granularity, dimensions, metrics } = question;
  const asked = orderBy ? [orderTerm(question, orderBy.field, orderBy.direction)] : [];
  const last = dimensions.map((name) => dimensionColumns[name]);
  return [
    ...asked,
    ...(granularity ? ['bucket DESC'] : []),
    ...metrics.slice(0, 1).map((name) => `value_${name} DESC NULLS LAST`),
    ...last,
  ].join(', ');
}

function orderTerm(question: Question, field: string, direction: 'asc' | 'desc'): string {
  const way = `${direction.toUpperCase()} NULLS LAST`;
  if (field === 'date') return `bucket ${way}`;
  const index = question.dimensions.findIndex((name) => name === field);
  if (index < 0) return `value_${field} ${way}`;
  if (field === 'context_length_bucket')
    return `${comparable('context_length_bucket', 'context_bucket')} ${way}`;
  return `label_${index} ${way}`;
}
