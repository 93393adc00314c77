import type { Catalog, Model } from '@sluice/catalog';
import type { Principal } from '@sluice/inference-port';
import type { CallerCatalogs } from '../private-endpoints/caller-catalogs.ts';
import type { PrivateEndpoints } from '../private-endpoints/private-endpoints.ts';

/** Returns models as a caller has them. A caller without a key has the shared ones. */
export type OwnModels = (
  models: readonly Model[],
  principal: Pick<Principal, 'accountId'> | undefined,
) => Promise<readonly Model[]>;

interface OwnModelsDeps {
  readonly catalog: Catalog;
  readonly privateEndpoints: Pick<PrivateEndpoints, 'find'>;
  readonly callerCatalogs: CallerCatalogs;
}

/** Puts the private endpoints of the caller's organization before the shared ones. */
export function ownModels({ catalog, privateEndpoints, callerCatalogs }: OwnModelsDeps): OwnModels {
  return async (models, principal) => {
    if (!principal) return models;
    const endpoints = await privateEndpoints.find({ accountId: principal.accountId });
    if (endpoints.length === 0) return models;
    const own = callerCatalogs.with(catalog, endpoints);
    return models.map((model) => own.find(model.id) ?? model);
  };
}
