import type { SortKey } from './preferences.ts';

/** Preferences that the dynamic suffixes of a slug ask for. */
export interface Slug {
  /** `author/name`, with its static variant. */
  readonly id: string;
  readonly sort: SortKey | undefined;
  /** Tiers that the suffix lets in beside the default one. */
  readonly admits: 'priority' | 'flex' | undefined;
  /** The suffix that stands for the plugin `web`. */
  readonly isOnline: boolean;
}

const dynamic: Readonly<Record<string, Pick<Slug, 'sort' | 'admits'>>> = {
  nitro: { sort: 'throughput', admits: 'priority' },
  floor: { sort: 'price', admits: 'flex' },
  exacto: { sort: 'exacto', admits: undefined },
};

/** `author/name:variant` → the model and what its suffixes ask of routing; the first sort counts. */
export function readSlug(slug: string): Slug {
  if (!slug.includes(':')) return { id: slug, sort: undefined, admits: undefined, isOnline: false };
  const [name = '', ...suffixes] = slug.split(':');
  const kept: string[] = [];
  let found: Slug = { id: name, sort: undefined, admits: undefined, isOnline: false };
  for (const suffix of suffixes) {
    const asked = Object.hasOwn(dynamic, suffix) ? dynamic[suffix] : undefined;
    if (asked)
      found = { ...found, sort: found.sort ?? asked.sort, admits: found.admits ?? asked.admits };
    else if (suffix === 'online') found = { ...found, isOnline: true };
    else kept.push(suffix);
  }
  return { ...found, id: [name, ...kept].join(':') };
}

/** The suffixes of variants that are models of their own in the catalog. A model may have none of them. */
const staticSuffixes: ReadonlySet<string> = new Set(['free', 'extended', 'thinking']);

/** Returns true for the id of no model whose suffixes are not all of the grammar (contract inference.md 13.2). */
export function hasUnknownSuffix(id: string): boolean {
  const [, ...suffixes] = id.split(':');
  return suffixes.some((suffix) => !staticSuffixes.has(suffix));
}
