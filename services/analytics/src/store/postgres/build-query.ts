import {
  type DimensionName,
  type Filter,
  type Measure,
  measures,
  type MetricName,
  metricOf,
  type MetricValue,
  type Question,
} from '@sluice/analytics-model';
import type { SqlValue, Statement } from '@sluice/read-model';
import { dayOf } from '../instants.ts';
import type { Segment } from '../plan.ts';
import { knownThen } from './known-then.ts';
import { quantileTables } from './quantile-tables.ts';
import {
  type Rollup,
  dictionaryOf,
  dimensionColumns,
  dimensionValue,
  joinsOf,
  namedKinds,
} from '../tables.ts';

const contextOrder = `ARRAY['', '1K', '10K', '100K', '1M', '10M', '100M']`;

/** Collects the parameters of a statement: everything that a client wrote is one of them. */
export class Parameters {
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
  const wheres = question.filters.map((filter) => numbered(filter, parameters, account));
  const columns = question.dimensions.map((name) => dimensionColumns[name]);
  const keys = [...(question.granularity ? ['bucket'] : []), ...columns];
  const ranges = segments.map((segment) => rangeOf(segment, parameters));
  const facts = factsOf(question, parameters);
  const fromOf = (index: number) =>
    `${segments[index]?.rollup?.table ?? facts} AS one ${joinsOf('one', question.dimensions)}`;
  const whereOf = (index: number) =>
    [
      `one.account = (SELECT id FROM accounts WHERE account_id = ${account})`,
      ranges[index] ?? 'false',
      ...wheres,
    ].join(' AND ');
  const selectedOf = (index: number) => [
    ...bucketOf(question, segments[index]?.rollup),
    ...question.dimensions.map((name) => `${dimensionValue(name)} AS ${dimensionColumns[name]}`),
  ];
  const asked: readonly MetricName[] = [
    ...new Set([...question.metrics, ...orderMetric(question)]),
  ];
  const terms = new Map(
    [['requests'] as const, ...asked.flatMap(termsOf)].map((term) => [nameOf(term), term]),
  );
  const needed = [...terms.values()].map((term) => `${perRow(term)} AS ${nameOf(term)}`);
  const sums = [...terms].map(([name, term]) =>
    isOptional(term) ? `${sum(name)} AS ${name}` : `coalesce(${sum(name)}, 0) AS ${name}`,
  );
  const isUsed = [...terms.keys()].map((name) => `${sum(name)} <> 0`).join(' OR ');
  const sources = segments.map(
    (_, index) =>
      `SELECT ${[...selectedOf(index), ...needed].join(', ')} FROM ${fromOf(index)} WHERE ${whereOf(index)}`,
  );
  const quantiles = asked.filter((name) => metricOf(name).value.kind === 'quantile');
  const groups = keys.length === 0 ? '' : `GROUP BY ${keys.join(', ')}`;
  const withs = [
    `source AS (${sources.join(' UNION ALL ')})`,
    `grouped AS ${quantiles.length === 0 ? '' : 'MATERIALIZED'} (
       SELECT ${[...keys, ...sums].join(', ')} FROM source ${groups} HAVING ${isUsed})`,
    ...(quantiles.length === 0
      ? []
      : quantileTables({ quantiles, segments, fromOf, whereOf, selectedOf, keys })),
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
    ${limited(question, { selected: shownOf(question), columns, order, parameters })}
    ORDER BY ${order} LIMIT ${limit}`;
  return { text, values: parameters.values };
}

/** Returns the table of facts, or what was known of them. */
function factsOf({ asOfMs }: Question, parameters: Parameters): string {
  if (asOfMs === undefined) return 'facts';
  return knownThen(parameters.add(new Date(asOfMs), 'timestamptz'));
}

/** Writes the condition of a time range. Facts have a partition for each day, and only those of the range are read. */
function rangeOf({ rollup, startMs, endMs }: Segment, parameters: Parameters): string {
  const start = parameters.add(new Date(startMs), 'timestamptz');
  const end = parameters.add(new Date(endMs), 'timestamptz');
  const within = `one.at >= ${start} AND one.at < ${end}`;
  if (rollup) return within;
  const first = parameters.add(dayOf(startMs), 'date');
  return `${within} AND one.day >= ${first} AND one.day <= ${parameters.add(dayOf(endMs), 'date')}`;
}

/** Selects the bucket of a row. Sums of that granularity have it. */
function bucketOf({ granularity }: Question, rollup: Rollup | undefined): readonly string[] {
  if (!granularity) return [];
  return rollup?.bucket === granularity
    ? ['one.at AS bucket']
    : [`date_trunc('${granularity}', one.at, 'UTC') AS bucket`];
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

/** Writes the condition of a filter on numbers, which are compared with those of the account's texts that pass. */
export function numbered(filter: Filter, parameters: Parameters, account: string): string {
  const dictionary = dictionaryOf(filter.field);
  const passes = condition(filter, parameters);
  if (!dictionary) return passes;
  const { table, ref } = dictionary;
  return `one.${ref} IN (SELECT id FROM ${table} WHERE account_id = ${account} AND ${passes})`;
}

/** Writes the condition of a filter on texts. */
function condition(filter: Filter, parameters: Parameters): string {
  const { field, operator, values, includeUnset } = filter;
  const column = dimensionValue(field);
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

/** Measures that are added up in each row, so that a group has one sum of them. */
type Term = readonly Measure[];

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
const sum = (expression: string) => `bigint_sum(${expression})`;
const sumOf = (term: Term) => `grouped.${nameOf(term)}`;

/** Writes the term of a row. A measure that a row does not have counts as 0 in a sum of several. */
function perRow(term: Term): string {
  const [first = 'requests', ...others] = term;
  return others.length === 0 ? first : term.map((name) => `coalesce(${name}, 0)`).join(' + ');
}

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
