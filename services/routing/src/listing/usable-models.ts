import type { Principal } from '@sluice/inference';
import type { CatalogEndpoint, Model } from '../catalog/catalog.ts';
import type { Candidate } from '../choice/candidate.ts';
import { withCredentials } from '../choice/with-credentials.ts';
import type { Credential } from '../credentials/credential.ts';
import type { Policy } from '../policy/policy.ts';
import { permittedEndpoints } from './permitted.ts';
import { shownEndpoints } from './shown-endpoints.ts';

export interface Usage {
  readonly policy: Policy;
  readonly credentials: readonly Credential[];
  readonly principal: Pick<Principal, 'keyHash' | 'creatorUserId'>;
}

/** The models that a key can be used for, each with the endpoints that are left to it. */
export function usableModels(models: readonly Model[], usage: Usage): readonly Model[] {
  return models.flatMap((model) => {
    const shown = shownEndpoints(model);
    const left = usableEndpoints(model, shown, usage);
    if (left.size === 0) return [];
    if (left.size === model.endpoints.length) return [model];
    return [{ ...model, endpoints: model.endpoints.filter((endpoint) => left.has(endpoint)) }];
  });
}

function usableEndpoints(
  model: Model,
  endpoints: readonly CatalogEndpoint[],
  { policy, credentials, principal }: Usage,
): ReadonlySet<CatalogEndpoint> {
  const permitted = permittedEndpoints(model, endpoints, policy);
  const { demandsZeroRetention } = permitted;
  const candidate = (endpoint: CatalogEndpoint): Candidate => ({ model, endpoint });
  const attempts = withCredentials(permitted.endpoints.map(candidate), {
    credentials,
    principal,
    demandsZeroRetention,
    retaining: permitted.retaining.map(candidate),
  });
  return new Set(attempts.map(({ endpoint }) => endpoint));
}
