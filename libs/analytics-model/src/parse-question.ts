import { type DimensionName, dimensionNames, dimensionOf } from './dimensions.ts';
import { type MetricName, metricNames, metricOf } from './metrics.ts';
import {
  type Filter,
  type Granularity,
  granularityNames,
  type OperatorName,
  operatorNames,
  operators,
  type OrderBy,
  type Question,
  questionBounds,
} from './question.ts';

/** A question as it comes from a client, whose form is checked: fields, types and lengths. */
export interface AskedQuestion {
  readonly metrics: readonly string[];
  readonly dimensions?: readonly string[] | undefined;
  readonly granularity?: string | undefined;
  readonly time_range?: { readonly start: string; readonly end: string } | undefined;
  readonly filters?:
    | readonly {
        readonly field: string;
        readonly operator: string;
        readonly value: string | number | readonly (string | number)[];
        readonly include_unset?: boolean | undefined;
      }[]
    | undefined;
  readonly order_by?: { readonly field: string; readonly direction: string } | undefined;
  readonly limit?: number | undefined;
  readonly group_limit?: number | undefined;
  readonly as_of?: string | undefined;
}

export interface QuestionIssue {
  readonly path: string;
  readonly message: string;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Checks the rules of a question. Returns the question, or each rule that it breaks with the path of the field. */
export function parseQuestion(
  asked: AskedQuestion,
  now: Date,
): { readonly question: Question } | { readonly issues: readonly QuestionIssue[] } {
  const issues: QuestionIssue[] = [];
  const say = (path: string, message: string) => void issues.push({ path, message });
  const metrics = namesOf(asked.metrics, 'metrics', metricNames, say);
  const dimensions = namesOf(asked.dimensions ?? [], 'dimensions', dimensionNames, say);
  if (dimensions.length > questionBounds.dimensions)
    say('dimensions', `must be at most ${questionBounds.dimensions}`);
  const granularity = granularityOf(asked.granularity, say);
  const asOfMs = asked.as_of === undefined ? undefined : instantOf(asked.as_of, 'as_of', say);
  if (asOfMs !== undefined && asOfMs > now.getTime()) say('as_of', 'must not be in the future');
  const range = rangeOf(asked.time_range, asOfMs ?? now.getTime(), say);
  const filters = filtersOf(asked.filters ?? [], say);
  const orderBy = orderOf(asked, say);
  if (issues.length === 0) checkRange({ metrics, dimensions, filters, granularity, ...range }, say);
  if (issues.length > 0) return { issues };
  const groupLimit = dimensions.length > 0 ? asked.group_limit : undefined;
  const isSeries = dimensions.length > 0 && granularity !== undefined && groupLimit === undefined;
  // Groups with all their buckets need more rows.
  const limitDefault = isSeries ? questionBounds.limit : questionBounds.limitDefault;
  const { limit = limitDefault } = asked;
  const parts = { metrics, dimensions, granularity, ...range, filters, orderBy, asOfMs };
  return { question: { ...parts, limit, groupLimit } };
}

type Say = (path: string, message: string) => void;

function namesOf<Name extends string>(
  asked: readonly string[],
  path: string,
  known: readonly Name[],
  say: Say,
): readonly Name[] {
  const names = asked.flatMap((text, index) => {
    const name = known.find((one) => one === text);
    if (name === undefined) say(`${path}.${index}`, `must be one of ${known.join(', ')}`);
    return name === undefined ? [] : [name];
  });
  if (new Set(names).size < names.length) say(path, 'must not name one twice');
  return names;
}

function granularityOf(asked: string | undefined, say: Say): Granularity | undefined {
  if (asked === undefined) return undefined;
  const granularity = granularityNames.find((name) => name === asked);
  if (!granularity) say('granularity', `must be one of ${granularityNames.join(', ')}`);
  return granularity;
}

const instantPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z$/;

function rangeOf(asked: AskedQuestion['time_range'], endMs: number, say: Say) {
  if (asked === undefined)
    return { startMs: endMs - questionBounds.rangeDaysDefault * dayMs, endMs };
  const start = instantOf(asked.start, 'time_range.start', say);
  const end = instantOf(asked.end, 'time_range.end', say);
  if (start >= end) say('time_range.end', 'must be after time_range.start');
  return { startMs: start, endMs: end };
}

function instantOf(asked: string, path: string, say: Say): number {
  const ms = instantPattern.test(asked) ? Date.parse(asked) : Number.NaN;
  // A 30 February would silently be another day.
  if (!Number.isNaN(ms) && new Date(ms).toISOString().slice(0, 19) === asked.slice(0, 19))
    return ms;
  say(path, 'must be an instant in UTC with seconds, like 2030-01-31T00:00:00Z');
  return Number.NaN;
}

function filtersOf(asked: NonNullable<AskedQuestion['filters']>, say: Say): readonly Filter[] {
  if (asked.length > questionBounds.filters)
    say('filters', `must be at most ${questionBounds.filters}`);
  return asked.flatMap((filter, index) => {
    const path = `filters.${index}`;
    const [field] = namesOfField(filter.field, `${path}.field`, say);
    const operator = operatorNames.find((name) => name === filter.operator);
    if (!operator) say(`${path}.operator`, `must be one of ${operatorNames.join(', ')}`);
    if (!field || !operator) return [];
    const values = valuesOf(filter.value, { field, operator, path: `${path}.value` }, say);
    const includeUnset = filter.include_unset ?? false;
    if (filter.include_unset !== undefined) checkUnset(field, operator, path, say);
    return [{ field, operator, values, includeUnset }];
  });
}

function namesOfField(field: string, path: string, say: Say): readonly DimensionName[] {
  const name = dimensionNames.find((one) => one === field);
  if (name) return [name];
  say(path, `must be one of ${dimensionNames.join(', ')}`);
  return [];
}

function checkUnset(field: DimensionName, operator: OperatorName, path: string, say: Say): void {
  if (operators[operator].valueType !== 'array')
    say(`${path}.include_unset`, 'is only for the operators in and not_in');
  else if (!dimensionOf(field).hasUnset)
    say(`${path}.include_unset`, `is not for ${field}, which all usage has`);
}

function valuesOf(
  asked: string | number | readonly (string | number)[],
  about: { readonly field: DimensionName; readonly operator: OperatorName; readonly path: string },
  say: Say,
): readonly string[] {
  const { field, operator, path } = about;
  const isList = typeof asked === 'object';
  if (isList !== (operators[operator].valueType === 'array')) {
    say(path, isList ? `must be one value for ${operator}` : `must be a list for ${operator}`);
    return [];
  }
  const values = (isList ? asked : [asked]).map(String);
  if (values.length === 0) say(path, 'must not be empty');
  if (values.length > questionBounds.filterValues)
    say(path, `must have at most ${questionBounds.filterValues} values`);
  const { pattern, mustBe } = dimensionOf(field);
  for (const [index, value] of values.entries())
    if (!pattern.test(value)) say(isList ? `${path}.${index}` : path, `must be ${mustBe}`);
  return values;
}

function orderOf(asked: AskedQuestion, say: Say): OrderBy | undefined {
  if (!asked.order_by) return undefined;
  const { field, direction } = asked.order_by;
  const requested = [...asked.metrics, ...(asked.dimensions ?? [])];
  const isKnown =
    requested.includes(field) ||
    field === 'request_count' ||
    (field === 'date' && asked.granularity !== undefined);
  if (!isKnown)
    say(
      'order_by.field',
      'must be a requested metric, request_count, a requested dimension, or date with a granularity',
    );
  if (direction !== 'asc' && direction !== 'desc') say('order_by.direction', 'must be asc or desc');
  return { field: field as OrderBy['field'], direction: direction === 'asc' ? 'asc' : 'desc' };
}

/** Each of the names has its longest range, and the shortest of these holds. */
function checkRange(
  question: Pick<
    Question,
    'metrics' | 'dimensions' | 'filters' | 'granularity' | 'startMs' | 'endMs'
  >,
  say: Say,
): void {
  const rangeMs = question.endMs - question.startMs;
  if (question.granularity === 'minute' && rangeMs > questionBounds.minuteHours * hourMs)
    say('granularity', `must not be minute for more than ${questionBounds.minuteHours} hours`);
  const names: readonly (readonly [string, number])[] = [
    ...question.metrics.map((name: MetricName) => [name, metricOf(name).days] as const),
    ...question.dimensions.map((name) => [name, dimensionOf(name).days] as const),
    ...question.filters.map(({ field }) => [field, dimensionOf(field).days] as const),
  ];
  const shortest = Math.min(...names.map(([, days]) => days));
  if (rangeMs <= shortest * dayMs) return;
  const limiting = names.filter(([, days]) => days === shortest).map(([name]) => name);
  say('time_range', `must be at most ${shortest} days with ${[...new Set(limiting)].join(', ')}`);
}
