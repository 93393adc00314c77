import type { Catalog } from '@sluice/catalog';
import { CatalogServiceService } from '@sluice/protos/sluice/catalog/v1/catalog';
import { implement, type RpcService } from '@sluice/rpc';
import { providersOf } from './provider-view.ts';
import { isShown } from './shown-endpoints.ts';

/** The provider that comes with every installation. It has a name also while it is off. */
const simulator = 'simulator';

/** Answers other services about the models that the lists show. */
export function catalogRpc(catalog: Pick<Catalog, 'listed'>): RpcService {
  return implement(CatalogServiceService, {
    async findNames({ models, providers }) {
      const canonical = new Map<string, string>();
      for (const { id, canonicalSlug: slug } of catalog.listed.filter(isShown))
        canonical.set(id, slug).set(slug, slug);
      const slugs = new Set([simulator, ...providersOf(catalog.listed).map(({ slug }) => slug)]);
      return {
        models: models.flatMap((name) => {
          const canonicalSlug = canonical.get(name);
          return canonicalSlug === undefined ? [] : [{ name, canonicalSlug }];
        }),
        providers: providers.filter((slug) => slugs.has(slug)),
      };
    },
  });
}
