import type { CatalogServiceService } from '@sluice/protos/sluice/catalog/v1/catalog';
import type { Calls } from '@sluice/rpc';
import type { Catalog } from '../commands/directory.ts';

/** Asks routing, which has the catalog. */
export function rpcCatalog(calls: Calls<CatalogServiceService>): Catalog {
  return {
    async find(names) {
      const { models, providers } = await calls.findNames({
        models: [...names.models],
        providers: [...names.providers],
      });
      return {
        canonical: new Map(models.map(({ name, canonicalSlug }) => [name, canonicalSlug])),
        providers: new Set(providers),
      };
    },
  };
}
