import {
  dimensionNames,
  granularityNames,
  metricNames,
  operatorNames,
  questionBounds,
} from '@sluice/analytics-model';
import { Type, type Static } from 'typebox';
import {
  closed,
  count,
  flag,
  number,
  nullable,
  oneOf,
  pastInstant,
  text,
  utcInstant,
} from '../../http/schemas/fields.ts';
import { instant, uuid } from '../../http/schemas/examples.ts';
import { reply } from '../../http/schemas/replies.ts';

const named = (what: string, example: string) =>
  Type.Object({
    name: text(`Name of the ${what}, as queries use it.`, example),
    display_label: text('Name for people.', 'Total usage'),
  });

export const analyticsMetaView = Type.Object({
  metrics: Type.Array(
    Type.Object({
      ...named('metric', 'total_usage').properties,
      is_rate: flag('Whether it is a rate: values of groups cannot be added up.', false),
      display_format: oneOf(
        ['number', 'currency', 'percent', 'latency', 'throughput'],
        'How it is shown: `currency` in USD, `percent` from 0 to 1, `latency` in ms, `throughput` in tokens/s.',
        'currency',
      ),
    }),
    { description: 'What can be measured.' },
  ),
  dimensions: Type.Array(named('dimension', 'model'), {
    description: 'What usage can be grouped and filtered by.',
  }),
  operators: Type.Array(
    Type.Object({
      name: text('Name of the operator.', 'eq'),
      value_type: oneOf(['scalar', 'array'], 'Whether a filter has one value or a list.', 'scalar'),
    }),
    { description: 'How a filter compares.' },
  ),
  granularities: Type.Array(named('granularity', 'day'), {
    description: 'The lengths of buckets of time.',
  }),
});

export const analyticsMetaReply = reply(analyticsMetaView);

const example = {
  metrics: ['total_usage', 'request_count'],
  dimensions: ['model'],
  granularity: 'day',
  time_range: { start: '2026-11-01T00:00:00Z', end: '2026-11-20T00:00:00Z' },
};

const mustBe = 'a text or a number, or a list of these';
const oneValue = [Type.String({ maxLength: 512, mustBe }), Type.Number({ mustBe })];
const filterValue = Type.Union(
  [
    ...oneValue,
    Type.Array(Type.Union(oneValue), {
      minItems: 1,
      maxItems: questionBounds.filterValues,
      mustBe: `a list of 1 to ${questionBounds.filterValues} values`,
    }),
  ],
  {
    description: 'One value, or a list for `in` and `not_in`.',
    examples: ['sim/echo'],
  },
);

const filter = Type.Object(
  {
    field: oneOf([...dimensionNames], 'A dimension.', 'model'),
    operator: oneOf([...operatorNames], 'How its value is compared.', 'eq'),
    value: filterValue,
    include_unset: Type.Optional(
      flag('Whether usage without a value passes, too. For `in` and `not_in` only.'),
    ),
  },
  closed,
);

const timeRange = Type.Object(
  {
    start: Type.String({ ...utcInstant, description: 'The first instant.' }),
    end: Type.String({ ...utcInstant, description: 'The instant behind the last one.' }),
  },
  { ...closed, description: 'The last seven days when absent.' },
);

const bounded = (description: string, value: number) =>
  Type.Integer({
    minimum: 1,
    maximum: questionBounds.limit,
    mustBe: `a whole number from 1 to ${questionBounds.limit}`,
    description,
    examples: [value],
  });

const classifierId = Type.String({
  format: 'uuid',
  maxLength: 36,
  mustBe: 'the UUID of a classifier',
  description: 'Id of a classifier.',
  examples: [uuid],
});
const classifierName = Type.String({
  minLength: 1,
  maxLength: 256,
  description: 'Name of a dimension of the classifier.',
  examples: ['department'],
});

export const analyticsQueryBody = Type.Object(
  {
    metrics: Type.Array(oneOf([...metricNames], 'A metric.', 'total_usage'), {
      minItems: 1,
      maxItems: metricNames.length,
      mustBe: `a list of 1 to ${metricNames.length} metrics`,
      description: 'What is measured.',
    }),
    dimensions: Type.Optional(
      Type.Array(oneOf([...dimensionNames], 'A dimension.', 'model'), {
        maxItems: questionBounds.dimensions,
        mustBe: `a list of at most ${questionBounds.dimensions} dimensions`,
        description: 'What the rows are grouped by.',
      }),
    ),
    granularity: Type.Optional(
      oneOf(
        [...granularityNames],
        'The length of the buckets. Totals when absent. `minute` is for at most 3 hours.',
        'day',
      ),
    ),
    time_range: Type.Optional(timeRange),
    filters: Type.Optional(
      Type.Array(filter, {
        maxItems: questionBounds.filters,
        mustBe: `a list of at most ${questionBounds.filters} filters`,
        description: 'All of them hold for what is counted.',
      }),
    ),
    order_by: Type.Optional(
      Type.Object(
        {
          field: Type.String({
            minLength: 1,
            maxLength: 64,
            mustBe: 'the name of a field',
            description:
              'A requested metric, `request_count`, a requested dimension, or `date` with a granularity.',
            examples: ['total_usage'],
          }),
          direction: oneOf(['asc', 'desc'], 'The order.', 'desc'),
        },
        { ...closed, description: 'Newest first when absent, then most first.' },
      ),
    ),
    limit: Type.Optional(
      bounded(
        'The most rows. When absent 1,000, or 10,000 with dimensions, a granularity and no `group_limit`.',
        1_000,
      ),
    ),
    group_limit: Type.Optional(
      bounded(
        'The most rows of each combination of dimensions. When absent, as many as the range has buckets.',
        31,
      ),
    ),
    as_of: Type.Optional(
      Type.String({
        ...pastInstant,
        description:
          'Only usage that was known by this instant, with the values that it had then. Single requests are kept for ' +
          '31 days, so `time_range` starts within them. It ends at this instant when absent.',
      }),
    ),
    classifier_dimensions: Type.Optional(
      Type.Object(
        {
          classifier_id: classifierId,
          dimension_names: Type.Optional(
            Type.Array(classifierName, { maxItems: 2, description: 'Dimensions of it.' }),
          ),
          include_nulls: Type.Optional(flag('Whether usage without a tag is a group.')),
        },
        { ...closed, description: 'Groups by tags of a classifier. No account has one yet.' },
      ),
    ),
    classifier_filters: Type.Optional(
      Type.Object(
        {
          classifier_id: classifierId,
          filters: Type.Array(
            Type.Object(
              {
                field: classifierName,
                operator: oneOf(['eq', 'neq', 'in', 'not_in'], 'How a tag is compared.', 'eq'),
                value: filterValue,
              },
              closed,
            ),
            { minItems: 1, maxItems: 10, description: 'All of them hold.' },
          ),
        },
        { ...closed, description: 'Filters by tags of a classifier. No account has one yet.' },
      ),
    ),
  },
  { ...closed, examples: [example] },
);
export type AnalyticsQueryBody = Static<typeof analyticsQueryBody>;

const cell = nullable(Type.Union([Type.String(), Type.Number()]));

export const analyticsRow = Type.Record(Type.String(), cell, {
  description:
    'The requested dimensions and metrics, and the start of the bucket as `date__<granularity>`.',
  examples: [
    {
      date__day: '2026-11-19T00:00:00.000Z',
      model: 'sim/echo',
      total_usage: 0.000_022,
      request_count: 12,
    },
  ],
});

export const analyticsAnswer = Type.Object({
  data: Type.Array(analyticsRow, { description: 'The rows.' }),
  metadata: Type.Object(
    {
      query_time_ms: number('Time that the query took, in ms. 0 from the cache.', 4.2),
      row_count: count('Number of rows.', 12),
      truncated: flag('Whether there are more rows than the limit.', false),
    },
    { description: 'About the answer.' },
  ),
  cachedAt: Type.Optional(
    count('When the answer was made, in ms since 1970. Absent: just now.', Date.parse(instant)),
  ),
  warnings: Type.Optional(
    Type.Array(text('A sentence.', 'filters: the account has no key …'), {
      description: 'What the answer leaves out.',
    }),
  ),
});

export const analyticsReply = reply(analyticsAnswer);
