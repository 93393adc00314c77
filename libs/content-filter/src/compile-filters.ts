import { compilePatterns, type CustomPatterns, type PatternOptions } from './custom-patterns.ts';
import {
  type BuiltinSlug,
  type Engine,
  type FilterAction,
  type FilterSet,
  labels,
} from './filter.ts';
import type { Recognizer } from './recognizer.ts';
import { recognizerOf } from './recognizers/index.ts';

/** A filter that a detection names. */
export interface Filter {
  /** The place of the filter in `filtersOf`. */
  readonly number: number;
  /** The slug of a built-in filter, or `custom`. */
  readonly slug: BuiltinSlug | 'custom';
  /** The regular expression of a custom filter. */
  readonly pattern?: string;
  readonly action: FilterAction;
  readonly engine: Engine;
  /** Stands for redacted content. */
  readonly placeholder: string;
  /** Names the filter to the caller. */
  readonly name: string;
}

export interface BuiltinScan {
  readonly filter: Filter;
  readonly recognizer: Recognizer;
}

/** Filters that are ready to run, in the order in which they run. */
export interface CompiledFilters {
  readonly injection: readonly BuiltinScan[];
  readonly patterns: readonly BuiltinScan[];
  readonly custom: { readonly filters: readonly Filter[]; readonly patterns: CustomPatterns };
  readonly entities: readonly BuiltinScan[];
}

const customPlaceholder = '[REDACTED]';
const customName = '[BLOCKED]';

/** Returns the filters of a set in the order in which they run: injection, patterns, custom ones, entities. */
export function filtersOf({ builtin, custom }: FilterSet): readonly Filter[] {
  const named = builtin.map(({ slug, action }) => ({
    slug,
    action,
    engine: engineOf(slug),
    placeholder: labels[slug],
    name: labels[slug],
  }));
  const own = custom.map(({ pattern, action, label }) => ({
    slug: 'custom' as const,
    pattern,
    action,
    engine: 'regex' as const,
    placeholder: label ?? customPlaceholder,
    name: label ?? customName,
  }));
  const ordered = [
    ...named.filter(({ slug }) => isInjection(slug)),
    ...named.filter(({ slug, engine }) => engine === 'regex' && !isInjection(slug)),
    ...own,
    ...named.filter(({ engine }) => engine === 'entities'),
  ];
  return ordered.map((filter, number) => ({ number, ...filter }));
}

function isInjection(slug: Filter['slug']): boolean {
  return slug === 'regex-prompt-injection';
}

function engineOf(slug: BuiltinSlug): Engine {
  return slug === 'person-name' || slug === 'address' ? 'entities' : 'regex';
}

/** Loads what the filters need. Throws for a custom pattern that the engine does not take. */
export async function compileFilters(
  set: FilterSet,
  options?: PatternOptions,
): Promise<CompiledFilters> {
  const filters = filtersOf(set);
  const custom = filters.filter(({ slug }) => slug === 'custom');
  const builtin = await Promise.all(
    filters.flatMap((filter) =>
      filter.slug === 'custom' ? [] : [loaded(filter, filter.slug, set.allowedPhrases ?? [])],
    ),
  );
  return {
    injection: builtin.filter(({ filter }) => isInjection(filter.slug)),
    patterns: builtin.filter(
      ({ filter }) => filter.engine === 'regex' && !isInjection(filter.slug),
    ),
    custom: {
      filters: custom,
      patterns: compilePatterns(
        custom.map(({ pattern = '' }) => pattern),
        options,
      ),
    },
    entities: builtin.filter(({ filter }) => filter.engine === 'entities'),
  };
}

async function loaded(
  filter: Filter,
  slug: BuiltinSlug,
  allowedPhrases: readonly string[],
): Promise<BuiltinScan> {
  return { filter, recognizer: await recognizerOf(slug, allowedPhrases) };
}
