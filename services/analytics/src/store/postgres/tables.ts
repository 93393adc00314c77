import { type DimensionName, dimensionNames, yearDimensions } from '@sluice/analytics-model';

/** The column of each dimension. */
export const dimensionColumns: Readonly<Record<DimensionName, string>> = {
  model: 'model',
  variant: 'variant',
  api_key_id: 'key_hash',
  user: 'user_id',
  workspace: 'workspace_id',
  app: 'app',
  generation_id: 'generation_id',
  provider: 'provider',
  origin: 'origin',
  country: 'country',
  finish_reason: 'finish_reason',
  external_user: 'external_user',
  context_length_bucket: 'context_bucket',
};

/** A table of sums. */
export interface Rollup {
  readonly table: string;
  readonly bucket: 'hour' | 'day';
  readonly dimensions: readonly DimensionName[];
  /** It has the sketches of percentiles. */
  readonly hasSketches: boolean;
}

/** Every table of sums, a row each. A query reads the first of its bucket that has all dimensions that it names. */
export const rollups: readonly Rollup[] = [
  { table: 'usage_day_model', bucket: 'day', dimensions: ['model', 'variant'], hasSketches: false },
  { table: 'usage_day', bucket: 'day', dimensions: yearDimensions, hasSketches: false },
  {
    table: 'usage_hour',
    bucket: 'hour',
    dimensions: dimensionNames.filter((name) => name !== 'generation_id'),
    hasSketches: true,
  },
];
