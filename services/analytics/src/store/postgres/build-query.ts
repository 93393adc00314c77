import {
  type DimensionName,
  type Filter,
  type Measure,
  measureNames,
  type MetricName,
  metricOf,
  type MetricValue,
  type Question,
} from '@sluice/analytics-model';
import type { SqlValue, Statement } from '@sluice/read-model';
import type { Segment } from './plan.ts';
import { dimensionColumns } from './tables.ts';

/** The kinds of entities whose names stand in the rows instead of their ids. */
export const namedKinds: Readonly<Partial<Record<DimensionName, string>>> = {
  api_key_id: 'key',
  workspace: 'workspace',
  user: 'member',
};

const contextOrder = `ARRAY['', '1K', '10K', '100K', '1M', '10M', '100M']`;

/** Collects the parameters of a statement: everything that a client wrote is one of them. */
class Parameters {
  readonly values: SqlValue[] = [];

  add(value: SqlValue, type: string): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }
}

/**
 * Builds the statement that answers a question from the segments of its time range. Columns come from the tables of
 * metrics and dimensions, and each value is a parameter. It asks for one row more than the limit.
 */
export function buildQuery(
  accountId: string,
  question: Question,
  segments: readonly Segment[],
): Statement {
  const parameters = new Parameters();
  const account = parameters.add(accountId, 'text');
  const wheres = question.filters.map((filter) => condition(filter, parameters));
  const columns = question.dimensions.map((name) => dimensionColumns[name]);
  const keys = [...(question.granularity ? ['bucket'] : []), ...columns];
  const ranges = segments.map(({ startMs, endMs }) => {
    const start = parameters.add(new Date(startMs), 'timestamptz');
    return { start, end: parameters.add(new Date(endMs), 'timestamptz') };
  });
  const whereOf = (index: number, alias: string) =>
    [
      `${alias}.account_id = ${account}`,
      `${alias}.at >= ${ranges[index]?.start}`,
      `${alias}.at < ${ranges[index]?.end}`,
      ...wheres.map((where) => where.replaceAll('§', `${alias}.`)),
    ].join(' AND ');
  const bucket = question.granularity
    ? [`date_trunc('${question.granularity}', at, 'UTC') AS bucket`]
    : [];
  const sources = segments.map(
    ({ rollup }, index) =>
      `SELECT at, ${[...columns, ...measureNames].join(', ')} FROM ${rollup?.table ?? 'facts'} AS one
       WHERE ${whereOf(index, 'one')}`,
  );
  const asked: readonly MetricName[] = [
    ...new Set([...question.metrics, ...orderMetric(question)]),
  ];
  const quantiles = asked.filter((name) => metricOf(name).value.kind === 'quantile');
  const groups = keys.length === 0 ? '' : `GROUP BY ${keys.join(', ')}`;
  const withs = [
    `source AS (${sources.join(' UNION ALL ')})`,
    `grouped AS (
       SELECT ${[...bucket, ...columns, ...measureNames.map((name) => `sum(${name}) AS ${name}`)].join(', ')}
       FROM source ${groups} HAVING sum(facts) > 0)`,
    ...(quantiles.length === 0
      ? []
      : quantileTables({ quantiles, segments, whereOf, columns, bucket, keys })),
  ];
  const values = asked.map((name) => `${expressionOf(metricOf(name).value, name)} AS ${name}`);
  const joined =
    quantiles.length === 0 ? '' : `LEFT JOIN quantiles ON ${equalOn(keys, 'grouped', 'quantiles')}`;
  const named = question.dimensions.map((name, index) => nameJoin(name, index, account));
  const order = orderOf(question);
  const limit = parameters.add(question.limit + 1, 'bigint');
  const grouped = keys.map((key) => `grouped.${key}`);
  const text = `WITH ${withs.join(', ')},
    valued AS (
      SELECT ${[...grouped, ...named.flatMap(({ selected }) => selected), ...values].join(', ')}
      FROM grouped ${joined} ${named.map(({ join }) => join).join(' ')})
    ${limited(question, { columns, order, parameters })}
    ORDER BY ${order} LIMIT ${limit}`;
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
    WHERE place <= ${parameters.add(groupLimit, 'bigint')}`;
}

/** Writes the condition of a filter. A § stands for the table. */
function condition(filter: Filter, parameters: Parameters): string {
  const { field, operator, values, includeUnset } = filter;
  const column = `§${dimensionColumns[field]}`;
  if (operator === 'in' || operator === 'not_in') {
    const list = parameters.add(values, 'text[]');
    const isIn = `${column} = ANY(${list})`;
    if (operator === 'in') return includeUnset ? `(${isIn} OR ${column} = '')` : isIn;
    return includeUnset ? `NOT (${isIn})` : `(NOT (${isIn}) AND ${column} <> '')`;
  }
  const value = parameters.add(values[0] ?? '', 'text');
  if (operator === 'eq') return `${column} = ${value}`;
  if (operator === 'neq') return `${column} <> ${value}`;
  const sign = { gt: '>', gte: '>=', lt: '<', lte: '<=' }[operator];
  return `(${comparable(field, column)} ${sign} ${comparable(field, value)} AND ${column} <> '')`;
}

/** Orders buckets of lengths by their size, and all else by its characters. */
function comparable(field: DimensionName, expression: string): string {
  return field === 'context_length_bucket'
    ? `array_position(${contextOrder}, ${expression})`
    : `(${expression}) COLLATE "C"`;
}

interface QuantileParts {
  readonly quantiles: readonly MetricName[];
  readonly segments: readonly Segment[];
  readonly whereOf: (index: number, alias: string) => string;
  readonly columns: readonly string[];
  readonly bucket: readonly string[];
  readonly keys: readonly string[];
}

/** Merges sketches by adding up their bins. A quantile is the first bin whose rank is reached, as in DDSketch. */
function quantileTables(parts: QuantileParts): readonly string[] {
  const { quantiles, segments, whereOf, columns, bucket, keys } = parts;
  const sources = segments.map(({ rollup }, index) => {
    const own = columns.map((column) => `one.${column}`);
    if (rollup)
      return `SELECT ${['one.at', ...own, 'sketch', 'bin', 'count'].join(', ')}
              FROM ${rollup.table} AS one JOIN ${rollup.bins} AS two USING (account_id, at, row_id)
              WHERE ${whereOf(index, 'one')}`;
    return `SELECT ${['one.at', ...own, 'sketch', 'bin', '1 AS count'].join(', ')}
            FROM facts AS one CROSS JOIN LATERAL
              (VALUES ('latency', latency_bin), ('throughput', throughput_bin)) AS two (sketch, bin)
            WHERE bin IS NOT NULL AND ${whereOf(index, 'one')}`;
  });
  const by = [...keys, 'sketch'].join(', ');
  const chosen = quantiles.map((name) => {
    const { value } = metricOf(name);
    if (value.kind !== 'quantile') throw new Error('invariant: only quantiles are asked for');
    return `min(bin) FILTER (WHERE sketch = '${value.of}' AND reached > ${value.at} * (total - 1)) AS ${name}`;
  });
  return [
    `bins AS (
       SELECT ${[...bucket, ...columns, 'sketch', 'bin', 'sum(count) AS count'].join(', ')}
       FROM (${sources.join(' UNION ALL ')}) AS each GROUP BY ${by}, bin HAVING sum(count) > 0)`,
    `ranked AS (
       SELECT ${by}, bin, sum(count) OVER (PARTITION BY ${by} ORDER BY bin) AS reached,
         sum(count) OVER (PARTITION BY ${by}) AS total FROM bins)`,
    `quantiles AS (
       SELECT ${[...keys, ...chosen].join(', ')} FROM ranked
       ${keys.length === 0 ? '' : `GROUP BY ${keys.join(', ')}`})`,
  ];
}

function equalOn(keys: readonly string[], one: string, other: string): string {
  return keys.length === 0
    ? 'true'
    : keys.map((key) => `${one}.${key} = ${other}.${key}`).join(' AND ');
}

function expressionOf(value: MetricValue, name: MetricName): string {
  switch (value.kind) {
    case 'sum':
      return `(${sumOf(value.of)})::bigint`;
    case 'ratio':
      return `(${value.scale} * (${sumOf(value.of)})::float8 / nullif((${sumOf(value.to)})::float8, 0))`;
    case 'quantile':
      return `quantiles.${name}`;
    case 'unrecorded':
      return 'NULL::bigint';
  }
}

const sumOf = (measures: readonly Measure[]) =>
  measures.map((name) => `grouped.${name}`).join(' + ');

/** Joins the name of an entity. Its e-mail address is a second field of a member. */
function nameJoin(name: DimensionName, index: number, account: string) {
  const column = `grouped.${dimensionColumns[name]}`;
  const kind = namedKinds[name];
  if (kind === undefined)
    return { selected: [`nullif(${column}, '') AS label_${index}`], join: '' };
  const alias = `name_${index}`;
  // A member without a name has none to show. A key and a workspace have their ids.
  const other = kind === 'member' ? 'NULL' : `nullif(${column}, '')`;
  return {
    selected: [
      `coalesce(nullif(${alias}.name, ''), ${other}) AS label_${index}`,
      `nullif(${alias}.email, '') AS email_${index}`,
    ],
    join: `LEFT JOIN names AS ${alias} ON ${alias}.account_id = ${account}
             AND ${alias}.kind = '${kind}' AND ${alias}.entity_id = ${column}`,
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
    ...metrics.slice(0, 1).map((name) => `${name} DESC NULLS LAST`),
    ...last,
  ].join(', ');
}

function orderTerm(question: Question, field: string, direction: 'asc' | 'desc'): string {
  const way = `${direction.toUpperCase()} NULLS LAST`;
  if (field === 'date') return `bucket ${way}`;
  const index = question.dimensions.findIndex((name) => name === field);
  if (index < 0) return `${field} ${way}`;
  if (field === 'context_length_bucket')
    return `${comparable('context_length_bucket', 'context_bucket')} ${way}`;
  return `label_${index} ${way}`;
}
