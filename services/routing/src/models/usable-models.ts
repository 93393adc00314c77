import type { Principal } from '@sluice/inference-port';
import { type EffectiveDemands, objectionTo } from '@sluice/policy';
import type { CatalogEndpoint, Model } from '@sluice/catalog';
import { policyCandidate } from '../selection/filters.ts';
import { withCredentials } from '../selection/with-credentials.ts';
import type { Credential } from '../credentials/credential.ts';
import { shownEndpoints } from './shown-endpoints.ts';

export interface Usage {
  readonly guardrails: EffectiveDemands;
  readonly credentials: readonly Credential[];
  readonly principal: Pick<Principal, 'keyHash' | 'creatorUserId'>;
}

/**
 * The models that a key can be used for, each with the endpoints that are left to it: those that a request
 * which demands nothing itself may be tried at.
 */
export function usableModels(models: readonly Model[], usage: Usage): readonly Model[] {
  return models.flatMap((model) => {
    const left = usableEndpoints(model, usage);
    if (left.size === 0) return [];
    if (left.size === model.endpoints.length) return [model];
    return [{ ...model, endpoints: model.endpoints.filter((endpoint) => left.has(endpoint)) }];
  });
}

function usableEndpoints(
  model: Model,
  { guardrails, credentials, principal }: Usage,
): ReadonlySet<CatalogEndpoint> {
  const candidates = shownEndpoints(model).map((endpoint) => ({ model, endpoint }));
  const permitted = candidates.filter(
    (candidate) => objectionTo(guardrails, policyCandidate(candidate)) === undefined,
  );
  const attempts = withCredentials(permitted, { credentials, principal });
  return new Set(attempts.map(({ endpoint }) => endpoint));
}
