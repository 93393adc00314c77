import type { Catalog, Model } from '../catalog/catalog.ts';

/** A model that was asked for by name, and by which alias. */
export interface Shown {
  readonly model: Model;
  /** absent: by its own name. */
  readonly alias?: string;
}

export interface NamedCatalog extends Pick<Catalog, 'find' | 'listed'> {
  /** The model that an alias stands for; undefined: it is no alias. */
  aliasTarget?(id: string): string | undefined;
}

/** They choose among the endpoints of a model and are no models of their own. */
const dynamicVariants: ReadonlySet<string> = new Set(['nitro', 'floor', 'exacto', 'online']);
const latestPattern = /^~([a-z0-9-]+\/[A-Za-z0-9._-]+)-latest$/;

/** A listed model by its slug, dated slug, alias or `~author/family-latest`, with or without variants. */
export function findShown(catalog: NamedCatalog, asked: string): Shown | undefined {
  const [name = '', ...variants] = asked.split(':');
  const lasting = variants.filter((variant) => !dynamicVariants.has(variant));
  const id = [name, ...lasting].join(':');
  const known = listedAs(catalog, id);
  if (known) return { model: known };
  const target = catalog.aliasTarget?.(id);
  const model = target === undefined ? latestOf(catalog, id) : listedAs(catalog, target);
  return model && { model, alias: id };
}

function listedAs(catalog: NamedCatalog, id: string): Model | undefined {
  const found = catalog.find(id);
  if (found) return found.isHidden ? undefined : found;
  return catalog.listed.find(({ canonicalSlug }) => canonicalSlug === id);
}

function latestOf({ listed }: NamedCatalog, id: string): Model | undefined {
  const [, family] = latestPattern.exec(id) ?? [];
  if (family === undefined) return undefined;
  const members = listed.filter((one) => one.id === family || one.id.startsWith(`${family}-`));
  return members.toSorted((a, b) => b.created - a.created)[0];
}
