import type { Catalog, Model } from '@sluice/catalog';
import type { Principal } from '@sluice/inference-port';
import type { CallerCatalogs } from '../private-endpoints/caller-catalogs.ts';
import type { PrivateEndpoints } from '../private-endpoints/private-endpoints.ts';

/** Returns a model as a caller has it. A caller without a key has the shared one. */
export type OwnModel = (model: Model, principal: Account | undefined) => Promise<Model>;
type Account = Pick<Principal, 'accountId'>;

interface OwnModelDeps {
  readonly catalog: Catalog;
  readonly privateEndpoints: Pick<PrivateEndpoints, 'find'>;
  readonly callerCatalogs: CallerCatalogs;
}

/** Puts the private endpoints of the caller's organization before the shared ones. */
export function ownModels({ catalog, privateEndpoints, callerCatalogs }: OwnModelDeps): OwnModel {
  return async (model, principal) => {
    if (!principal) return model;
    const endpoints = await privateEndpoints.find({ accountId: principal.accountId });
    return callerCatalogs.with(catalog, endpoints).find(model.id) ?? model;
  };
}
