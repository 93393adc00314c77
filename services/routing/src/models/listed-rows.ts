import type { Catalog, Model } from '@sluice/catalog';
import { type RouterFacts, type RouterRow, routerRows } from './router-rows.ts';
import { isShown } from './shown-endpoints.ts';

/** The rows of the lists of models. */
export interface Rows {
  /** The models with an endpoint. */
  readonly models: readonly Model[];
  readonly routers: readonly RouterRow[];
  /** The models, and then the routers. */
  readonly all: readonly Model[];
}

/** Returns a reader of the rows. It gives the same arrays until the catalog changes. */
export function rowsOf(
  catalog: Pick<Catalog, 'listed'>,
  facts: readonly RouterFacts[],
): () => Rows {
  let kept: (Rows & { readonly of: readonly Model[] }) | undefined;
  return () => {
    const { listed } = catalog;
    if (kept?.of === listed) return kept;
    const models = listed.filter((model) => isShown(model));
    const routers = routerRows(facts, models);
    kept = { of: listed, models, routers, all: [...models, ...routers] };
    return kept;
  };
}
