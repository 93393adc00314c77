import { invalidRequest, type Issue, type Rejection } from '@sluice/errors';
import { catalogSorts, type CatalogSort } from '@sluice/inference-port';

/** Bounds of a number; absent: none. A filter with a bound excludes models whose number is unknown. */
export interface Range {
  readonly min?: number;
  readonly max?: number;
}

export interface Page {
  readonly offset: number;
  readonly limit: number;
}

/** Filters of `GET /models`; an absent one does not filter. */
export interface ModelFilters {
  /** absent: all of them. */
  readonly page?: Page;
  readonly sort?: CatalogSort;
  /** In lower case; each of them in the name or the slug. */
  readonly words: readonly string[];
  readonly category?: string;
  readonly supportedParameters: readonly string[];
  /** All of them. */
  readonly inputModalities: readonly string[];
  /** Any of them; `all`: it does not matter. */
  readonly outputModalities: readonly string[] | 'all';
  readonly contextMin?: number;
  /** USD per million tokens. */
  readonly price: Range;
  readonly outputPrice: Range;
  /** In lower case, as are the next two. */
  readonly family?: string;
  readonly authors: readonly string[];
  readonly providers: readonly string[];
  readonly isDistillable?: boolean;
  readonly isZeroRetention: boolean;
  readonly region?: 'europe' | 'us';
  readonly ageDays: Range;
  readonly intelligence: Range;
  readonly coding: Range;
  readonly agentic: Range;
  readonly toolSuccessRate: Range;
}

const limitDefault = 500;
const regions = { eu: 'europe', us: 'us' } as const;
const numberPattern = /^\d{1,15}(?:\.\d{1,18})?(?:e[+-]?\d{1,2})?$/i;

type Parameters = Readonly<Record<string, string>>;

/** The text of a query → what it asks for, or the path of each value that is none. */
export function parseModelFilters(parameters: Parameters): ModelFilters | Rejection {
  const reader = new Reader(parameters);
  const page = pageOf(reader);
  const sort = reader.oneOf('sort', catalogSorts);
  const contextMin = reader.number('context');
  const region = reader.oneOf('region', ['eu', 'us'] as const);
  const distillable = reader.oneOf('distillable', ['true', 'false'] as const);
  const outputModalities = reader.list('output_modalities');
  const { category, arch } = parameters;
  const filters: ModelFilters = {
    ...(page && { page }),
    ...(sort && { sort }),
    words: (parameters['q'] ?? '').toLowerCase().split(/\s+/).filter(Boolean),
    ...(category !== undefined && { category }),
    supportedParameters: reader.list('supported_parameters'),
    inputModalities: reader.list('input_modalities'),
    outputModalities: outputModalities.includes('all')
      ? 'all'
      : outputModalities.length === 0
        ? ['text']
        : outputModalities,
    ...(contextMin !== undefined && { contextMin }),
    price: reader.range('price'),
    outputPrice: reader.range('output_price'),
    ...(arch !== undefined && { family: arch.toLowerCase() }),
    authors: reader.list('model_authors'),
    providers: reader.list('providers'),
    ...(distillable && { isDistillable: distillable === 'true' }),
    isZeroRetention: reader.oneOf('zdr', ['true'] as const) === 'true',
    ...(region && { region: regions[region] }),
    ageDays: reader.range('age_days'),
    intelligence: reader.range('intelligence_index'),
    coding: reader.range('coding_index'),
    agentic: reader.range('agentic_index'),
    toolSuccessRate: reader.range('tool_success_rate'),
  };
  return reader.issues.length > 0 ? invalidRequest(reader.issues) : filters;
}

/** Parameters of lists that have pages and no filters. */
export function parsePage(parameters: Parameters): Page | undefined | Rejection {
  const reader = new Reader(parameters);
  const page = pageOf(reader);
  return reader.issues.length > 0 ? invalidRequest(reader.issues) : page;
}

/** Without parameters of pages, the list is whole. */
function pageOf(reader: Reader): Page | undefined {
  const offset = reader.number('offset');
  const limit = reader.number('limit');
  if (offset === undefined && limit === undefined) return undefined;
  return { offset: offset ?? 0, limit: limit ?? limitDefault };
}

class Reader {
  readonly #parameters: Parameters;
  readonly issues: Issue[] = [];

  constructor(parameters: Parameters) {
    this.#parameters = parameters;
  }

  number(path: string): number | undefined {
    const text = this.#parameters[path];
    if (text === undefined) return undefined;
    if (numberPattern.test(text)) return Number(text);
    this.issues.push({ path, message: 'must be a number' });
    return undefined;
  }

  range(name: string): Range {
    const [min, max] = [this.number(`min_${name}`), this.number(`max_${name}`)];
    return { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
  }

  oneOf<Value extends string>(path: string, values: readonly Value[]): Value | undefined {
    const text = this.#parameters[path];
    if (text === undefined) return undefined;
    const value = values.find((known) => known === text);
    if (value === undefined) this.issues.push({ path, message: 'is none of the allowed values' });
    return value;
  }

  list(path: string): readonly string[] {
    const items = (this.#parameters[path] ?? '').split(',').map((item) => item.trim());
    return items.filter((item) => item !== '').map((item) => item.toLowerCase());
  }
}
