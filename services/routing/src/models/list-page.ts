import type { Model } from '@sluice/catalog';
import type { CatalogQuestion } from '@sluice/inference-port';
import type { ModelPage } from './answers.ts';
import type { Page } from './model-filters.ts';

interface ListAsked {
  readonly path: string;
  readonly parameters: CatalogQuestion['parameters'];
}

/** Returns a page of a list, with the path of the next one. */
export function pageOf(all: readonly Model[], page: Page | undefined, asked: ListAsked): ModelPage {
  const totalCount = all.length;
  if (!page) return { models: all, totalCount, next: null };
  const end = page.offset + page.limit;
  const models = all.slice(page.offset, end);
  const { path, parameters } = asked;
  const query = new URLSearchParams({ ...parameters, offset: `${end}`, limit: `${page.limit}` });
  return { models, totalCount, next: end < totalCount ? `${path}?${query.toString()}` : null };
}
