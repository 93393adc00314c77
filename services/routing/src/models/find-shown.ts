import type { Catalog, Model } from '@sluice/catalog';
import { readSlug } from '../request/slug.ts';
import { isShown } from './shown-endpoints.ts';

/** A model that was asked for by name, and by which alias. */
export interface Shown {
  readonly model: Model;
  /** absent: by its own name. */
  readonly alias?: string;
}

/** A listed model by its slug, dated slug, alias or `~author/family-latest`, with or without variants. */
export function findShown(
  catalog: Pick<Catalog, 'find' | 'listed'>,
  asked: string,
): Shown | undefined {
  const { id } = readSlug(asked);
  const found = catalog.find(id) ?? catalog.listed.find((one) => one.canonicalSlug === id);
  const model = found ?? latestOf(catalog.listed, id);
  // Hidden models, and any model of some authors, may answer: nothing is shown of them.
  if (!model || model.isHidden || !isShown(model)) return undefined;
  return model.id === id || model.canonicalSlug === id ? { model } : { model, alias: id };
}

const latestPattern = /^~([a-z0-9-]+\/[A-Za-z0-9._-]+)-latest$/;

function latestOf(listed: readonly Model[], id: string): Model | undefined {
  const [, family] = latestPattern.exec(id) ?? [];
  if (family === undefined) return undefined;
  const members = listed.filter((one) => one.id === family || one.id.startsWith(`${family}-`));
  return members.toSorted((a, b) => b.created - a.created)[0];
}
