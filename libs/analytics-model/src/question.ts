import type { DimensionName } from './dimensions.ts';
import type { MetricName } from './metrics.ts';

export const granularities = {
  minute: { label: 'Minute' },
  hour: { label: 'Hour' },
  day: { label: 'Day' },
  week: { label: 'Week' },
  month: { label: 'Month' },
} as const;
export type Granularity = keyof typeof granularities;
export const granularityNames = Object.keys(granularities) as readonly Granularity[];

export const operators = {
  eq: { valueType: 'scalar' },
  neq: { valueType: 'scalar' },
  in: { valueType: 'array' },
  not_in: { valueType: 'array' },
  gt: { valueType: 'scalar' },
  gte: { valueType: 'scalar' },
  lt: { valueType: 'scalar' },
  lte: { valueType: 'scalar' },
} as const;
export type OperatorName = keyof typeof operators;
export const operatorNames = Object.keys(operators) as readonly OperatorName[];

export interface Filter {
  readonly field: DimensionName;
  readonly operator: OperatorName;
  /** One for a scalar operator. */
  readonly values: readonly string[];
  /** Facts without a value pass, too. */
  readonly includeUnset: boolean;
}

export interface OrderBy {
  readonly field: MetricName | DimensionName | 'date';
  readonly direction: 'asc' | 'desc';
}

/** A question that follows the rules. Instants are in milliseconds. */
export interface Question {
  readonly metrics: readonly MetricName[];
  readonly dimensions: readonly DimensionName[];
  readonly granularity: Granularity | undefined;
  /** Included. */
  readonly startMs: number;
  /** Not included. */
  readonly endMs: number;
  readonly filters: readonly Filter[];
  readonly orderBy: OrderBy | undefined;
  readonly limit: number;
  /** Rows of each combination of dimensions. Undefined: as many as the range has buckets. */
  readonly groupLimit: number | undefined;
  /** Only what was known by then. Undefined: all. */
  readonly asOfMs: number | undefined;
}

export const questionBounds = {
  dimensions: 2,
  filters: 20,
  filterValues: 1_000,
  limit: 10_000,
  limitDefault: 1_000,
  minuteHours: 3,
  rangeDaysDefault: 7,
} as const;
