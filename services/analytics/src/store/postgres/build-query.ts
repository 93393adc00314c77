import {
  type MetricName,
  metricOf,
  type MetricValue,
  measures,
  type DimensionName,
  type Question,
} from '@sluice/analytics-model';
import type { Statement } from '@sluice/read-model';
import { dimensionColumns, joinsOf, namedKinds } from '../tables.ts';
import { Parameters } from './parameters.ts';
import { quantileTables } from './quantile-tables.ts';
import type { ReadSegment } from './read-plan.ts';
import { comparable, readingsOf, sum, sumsOfSegment, type Term } from './read-segments.ts';

/**
 * Builds the statement that answers a question from the segments of its time range. Columns come from the tables of
 * metrics and dimensions, and each value is a parameter. It asks for one row more than the limit.
 */
export function buildQuery(
  accountId: string,
  question: Question,
  segments: readonly ReadSegment[],
): Statement {
  const parameters = new Parameters();
  const account = parameters.add(accountId, 'text');
  const { dimensions, granularity } = question;
  const readings = readingsOf(question, segments, { account, parameters });
  const columns = dimensions.map((name) => dimensionColumns[name]);
  const keys = [...(granularity ? ['bucket'] : []), ...columns];
  const asked: readonly MetricName[] = [
    ...new Set([...question.metrics, ...orderMetric(question)]),
  ];
  const terms = new Map(
    [['requests'] as const, ...asked.flatMap(termsOf)].map((term) => [nameOf(term), term]),
  );
  const sums = [...terms].map(([name, term]) =>
    isOptional(term) ? `${sum(name)} AS ${name}` : `coalesce(${sum(name)}, 0) AS ${name}`,
  );
  const isUsed = [...terms.keys()].map((name) => `${sum(name)} <> 0`).join(' OR ');
  const sources = readings.map((reading) => sumsOfSegment(reading, question, terms));
  const quantiles = asked.filter((name) => metricOf(name).value.kind === 'quantile');
  const groups = keys.length === 0 ? '' : `GROUP BY ${keys.join(', ')}`;
  const withs = [
    `source AS (${sources.join(' UNION ALL ')})`,
    `grouped AS ${quantiles.length === 0 ? '' : 'MATERIALIZED'} (
       SELECT ${[...keys, ...sums].join(', ')} FROM source AS one ${joinsOf('one', dimensions)}
       ${groups} HAVING ${isUsed})`,
    ...(quantiles.length === 0 ? [] : quantileTables({ quantiles, readings, dimensions, keys })),
  ];
  const values = asked.map((name) => `${expressionOf(metricOf(name).value, name)} AS ${name}`);
  const joined =
    quantiles.length === 0 ? '' : `LEFT JOIN quantiles ON ${equalOn(keys, 'grouped', 'quantiles')}`;
  const named = dimensions.map((name, index) => nameJoin(name, index, account));
  const order = orderOf(question);
  const limit = parameters.add(question.limit + 1, 'bigint');
  const grouped = keys.map((key) => `grouped.${key}`);
  const text = `WITH ${withs.join(', ')},
    valued AS (
      SELECT ${[...grouped, ...named.flatMap(({ selected }) => selected), ...values].join(', ')}
      FROM grouped ${joined} ${named.map(({ join }) => join).join(' ')})
    ${limited(question, { selected: shownOf(question), columns, order, parameters })}
    ORDER BY ${order} LIMIT ${limit}`;
  return { text, values: parameters.values };
}

/** Keeps so many rows of each combination of dimensions, where that is asked for. */
function limited(
  { groupLimit, dimensions }: Question,
  parts: {
    readonly selected: string;
    readonly columns: readonly string[];
    readonly order: string;
    readonly parameters: Parameters;
  },
): string {
  const { selected, columns, order, parameters } = parts;
  if (groupLimit === undefined || dimensions.length === 0) return `SELECT ${selected} FROM valued`;
  return `SELECT ${selected} FROM (
      SELECT *, row_number() OVER (PARTITION BY ${columns.join(', ')} ORDER BY ${order}) AS place
      FROM valued) AS placed
    WHERE place <= ${parameters.add(groupLimit, 'bigint')}`;
}

/** Selects what an answer shows of a row. The start of a bucket is in seconds since 1970. */
function shownOf({ granularity, dimensions, metrics }: Question): string {
  return [
    ...(granularity ? [`date_part('epoch', bucket)::bigint AS bucket_second`] : []),
    ...dimensions.flatMap((name, index) => [
      `label_${index}`,
      ...(namedKinds[name] === undefined ? [] : [`email_${index}`]),
    ]),
    ...metrics,
  ].join(', ');
}

function equalOn(keys: readonly string[], one: string, other: string): string {
  return keys.length === 0
    ? 'true'
    : keys.map((key) => `${one}.${key} = ${other}.${key}`).join(' AND ');
}

function expressionOf(value: MetricValue, name: MetricName): string {
  switch (value.kind) {
    case 'sum':
      return `${sumOf(value.of)}::bigint`;
    case 'ratio':
      return `(${value.scale} * (${sumOf(value.of)})::float8 / nullif((${sumOf(value.to)})::float8, 0))`;
    case 'quantile':
      return `quantiles.${name}`;
  }
}

/** Returns the terms that a metric is calculated from. A percentile needs to know whether there is a value. */
function termsOf(name: MetricName): readonly Term[] {
  const { value } = metricOf(name);
  if (value.kind === 'sum') return [value.of];
  if (value.kind === 'ratio') return [value.of, value.to];
  if (value.kind === 'quantile') return [[`${value.of}_count`]];
  return [];
}

const nameOf = (term: Term) => term.join('_and_');
const isOptional = (term: Term) => term.every((name) => measures[name].optional);
const sumOf = (term: Term) => `grouped.${nameOf(term)}`;

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
