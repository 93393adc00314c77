import {
  type Filter,
  type DimensionName,
  type Measure,
  type Question,
} from '@sluice/analytics-model';
import { dayOf } from '../instants.ts';
import { alikeNumber } from './alike-entries.ts';
import { dictionaryOf, dimensionColumns, dimensionValue, type Rollup } from '../tables.ts';
import { knownThen } from './known-then.ts';
import type { Parameters } from './parameters.ts';
import type { ReadSegment } from './read-plan.ts';

/** The clauses that read a segment, whose table is named `one`. */
export interface SegmentReading {
  readonly rollup: Rollup | undefined;
  readonly table: string;
  readonly where: string;
  /** The parameter of the account. */
  readonly account: string;
  /** The expression of the bucket, with its name. None: the question asks for totals. */
  readonly bucket: readonly string[];
}

/** Writes the clauses of each segment. */
export function readingsOf(
  question: Question,
  segments: readonly ReadSegment[],
  parts: { readonly account: string; readonly parameters: Parameters },
): readonly SegmentReading[] {
  const { account, parameters } = parts;
  const ofAccount = `(SELECT id FROM accounts WHERE account_id = ${account})`;
  const wheres = question.filters.map((filter) => numbered(filter, parameters, account));
  const ranges = segments.map((segment) => rangeOf(segment, parameters));
  const conditions = segments.map((segment) => conditionOf(segment, ofAccount, parameters));
  const facts = factsOf(question, parameters);
  return segments.map(({ rollup }, index) => ({
    rollup,
    table: rollup?.table ?? facts,
    where: [
      `one.account = ${ofAccount}`,
      ranges[index] ?? 'false',
      ...(conditions[index] ?? []),
      ...wheres,
    ].join(' AND '),
    account,
    bucket: bucketOf(question, rollup),
  }));
}

/** Returns the table of facts, or what was known of them. */
function factsOf({ asOfMs }: Question, parameters: Parameters): string {
  if (asOfMs === undefined) return 'facts';
  return knownThen(parameters.add(new Date(asOfMs), 'timestamptz'));
}

/** Writes the condition of a time range. Facts have a partition for each day, and only those of the range are read. */
function rangeOf(
  { rollup, startMs, endMs }: Pick<ReadSegment, 'rollup' | 'startMs' | 'endMs'>,
  parameters: Parameters,
): string {
  const start = parameters.add(new Date(startMs), 'timestamptz');
  const end = parameters.add(new Date(endMs), 'timestamptz');
  const within = `one.at >= ${start} AND one.at < ${end}`;
  if (rollup) return within;
  const first = parameters.add(dayOf(startMs), 'date');
  return `${within} AND one.day >= ${first} AND one.day <= ${parameters.add(dayOf(endMs - 1), 'date')}`;
}

/** Writes the condition under which a segment is read. It names no column, so PostgreSQL evaluates it once. */
function conditionOf(
  { onlyIf }: ReadSegment,
  ofAccount: string,
  parameters: Parameters,
): readonly string[] {
  if (!onlyIf) return [];
  const { hasFacts, startMs, endMs } = onlyIf;
  const range = rangeOf({ rollup: undefined, startMs, endMs }, parameters);
  const exists = `EXISTS (SELECT FROM facts AS one WHERE one.account = ${ofAccount} AND ${range})`;
  return [hasFacts ? exists : `NOT ${exists}`];
}

/** Selects the bucket of a row. Sums of that granularity have it. */
function bucketOf({ granularity }: Question, rollup: Rollup | undefined): readonly string[] {
  if (!granularity) return [];
  return rollup?.bucket === granularity
    ? ['one.at AS bucket']
    : [`date_trunc('${granularity}', one.at, 'UTC') AS bucket`];
}

/** Measures that are added up in each row, so that a group has one sum of them. */
export type Term = readonly Measure[];

export const sum = (expression: string) => `bigint_sum(${expression})`;

/**
 * Selects the sums of a segment by the numbers of its dictionaries. Numbers are compared in a fraction of the time of
 * texts, and most rows have the numbers of others: texts are joined to the few rows that are left.
 */
export function sumsOfSegment(
  { rollup, table, where, bucket, account }: SegmentReading,
  { dimensions, granularity }: Question,
  terms: ReadonlyMap<string, Term>,
): string {
  const numbers = numbersOf(dimensions);
  const isSummed =
    rollup?.bucket === granularity &&
    rollup?.refs.every((ref) => numbers.some(({ name }) => name === ref)) === true;
  const isLarge = !isSummed && (rollup?.refs.length ?? 0) > 1;
  const keys = [
    ...bucket,
    ...numbers.map(({ selected, alike }) => (isLarge ? alike(account) : selected)),
  ];
  const sums = [...terms].map(
    ([name, term]) => `${isSummed ? perRow(term) : sum(perRow(term))} AS ${name}`,
  );
  const places = keys.map((_, at) => at + 1);
  const groups = isSummed || places.length === 0 ? '' : `GROUP BY ${places.join(', ')}`;
  return `SELECT ${[...keys, ...sums].join(', ')} FROM ${table} AS one WHERE ${where} ${groups}`;
}

/** Returns the columns that stand for dimensions: the number of a dictionary, or a text that has none. */
function numbersOf(dimensions: readonly DimensionName[]): readonly NumberColumn[] {
  const texts = dimensions.filter((name) => !dictionaryOf(name));
  const used = new Set(dimensions.flatMap((name) => dictionaryOf(name) ?? []));
  return [
    ...[...used].map((dictionary) => {
      const { ref, dimensions: all } = dictionary;
      const selected = `one.${ref}`;
      const asked = all.filter((name) => dimensions.includes(name));
      const alike = (account: string) =>
        asked.length < all.length ? alikeNumber(dictionary, asked, account) : selected;
      return { name: ref, selected, alike };
    }),
    ...texts.map((text) => {
      const name = dimensionColumns[text];
      const selected = `${dimensionValue(text)} AS ${name}`;
      return { name, selected, alike: () => selected };
    }),
  ];
}

interface NumberColumn {
  readonly name: string;
  readonly selected: string;
  /** The same number for entries that have the same values. */
  readonly alike: (account: string) => string;
}

/** Writes the term of a row. A measure that a row does not have counts as 0 in a sum of several. */
function perRow(term: Term): string {
  const [first = 'requests', ...others] = term;
  return others.length === 0 ? first : term.map((name) => `coalesce(${name}, 0)`).join(' + ');
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

const contextOrder = `ARRAY['', '1K', '10K', '100K', '1M', '10M', '100M']`;

/** Orders buckets of lengths by their size, and all else by its characters. */
export function comparable(field: DimensionName, expression: string): string {
  return field === 'context_length_bucket'
    ? `array_position(${contextOrder}, ${expression})`
    : `(${expression}) COLLATE "C"`;
}
