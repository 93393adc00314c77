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

/** The kinds of entities whose names stand in the rows instead of their ids. */
export const namedKinds: Readonly<Partial<Record<DimensionName, string>>> = {
  api_key_id: 'key',
  workspace: 'workspace',
  user: 'member',
};

/** A table that gives each combination of some dimensions a number, which facts and sums have in their place. */
export interface Dictionary {
  readonly table: string;
  /** The column of the number, in facts and sums. */
  readonly ref: string;
  readonly dimensions: readonly DimensionName[];
}

/** Every dictionary, a row each. Dimensions that vary together share one. A generation has no number. */
export const dictionaries = [
  { table: 'model_dictionary', ref: 'model_ref', dimensions: ['model', 'variant'] },
  {
    table: 'place_dictionary',
    ref: 'place_ref',
    dimensions: ['api_key_id', 'user', 'workspace', 'app'],
  },
  {
    table: 'call_dictionary',
    ref: 'call_ref',
    dimensions: ['provider', 'origin', 'country', 'finish_reason', 'context_length_bucket'],
  },
  { table: 'end_user_dictionary', ref: 'end_user_ref', dimensions: ['external_user'] },
] as const satisfies readonly Dictionary[];

export type Ref = (typeof dictionaries)[number]['ref'];

/** Returns the dictionary of a dimension. Undefined: facts have its text. */
export function dictionaryOf(name: DimensionName): Dictionary | undefined {
  return dictionaries.find((one: Dictionary) => one.dimensions.includes(name));
}

/** Returns the join of the dictionaries that have these dimensions to a table with their numbers. */
export function joinsOf(alias: string, names: readonly DimensionName[]): string {
  const needed = new Set(names.flatMap((name) => dictionaryOf(name) ?? []));
  return [...needed]
    .map(({ table, ref }) => `JOIN ${table} ON ${table}.id = ${alias}.${ref}`)
    .join(' ');
}

/** A fact has the text of its generation only if its id does not begin with it. */
const generationOfFact = "coalesce(generation_id, split_part(fact_id, '/', 1))";

/** Returns the expression of a dimension, where its dictionary is joined. */
export function dimensionValue(name: DimensionName): string {
  return name === 'generation_id' ? generationOfFact : dimensionColumns[name];
}

/** A table of sums. */
export interface Rollup {
  readonly table: string;
  readonly bucket: 'hour' | 'day';
  readonly refs: readonly Ref[];
  readonly dimensions: readonly DimensionName[];
  /** It has the sketches of percentiles: the finest table, of which the others are sums. */
  readonly hasSketches: boolean;
}

/** Every table of sums, a row each. A query reads the first of its bucket that has all dimensions that it names. */
export const rollups: readonly Rollup[] = [
  {
    table: 'usage_day_model',
    bucket: 'day',
    refs: ['model_ref'],
    dimensions: ['model', 'variant'],
    hasSketches: false,
  },
  {
    table: 'usage_day',
    bucket: 'day',
    refs: ['place_ref', 'model_ref'],
    dimensions: yearDimensions,
    hasSketches: false,
  },
  {
    table: 'usage_hour',
    bucket: 'hour',
    refs: ['place_ref', 'model_ref', 'call_ref', 'end_user_ref'],
    dimensions: dimensionNames.filter((name) => name !== 'generation_id'),
    hasSketches: true,
  },
];
