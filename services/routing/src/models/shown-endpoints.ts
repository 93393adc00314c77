import type { CatalogEndpoint, Model } from '@sluice/catalog';

/** Returns the endpoints that requests may be tried at, and that the lists show. */
export function shownEndpoints({ endpoints }: Model): readonly CatalogEndpoint[] {
  return endpoints.every(({ isHidden }) => !isHidden)
    ? endpoints
    : endpoints.filter(({ isHidden }) => !isHidden);
}

/** True when an endpoint answers for the model. */
export function isShown(model: Model): boolean {
  return model.endpoints.some(({ isHidden }) => !isHidden);
}

/** Returns the endpoint whose price and limits represent the model: the first one of the default tier, if any. */
export function leadEndpoint(model: Model): CatalogEndpoint | undefined {
  const shown = shownEndpoints(model);
  return shown.find(({ tier }) => tier === 'default') ?? shown[0];
}

/** Returns all that at least one of the endpoints takes, in the order of the endpoints. */
export function parametersOf(model: Model): ReadonlySet<string> {
  const [first, ...others] = shownEndpoints(model).map((one) => one.supportedParameters);
  if (!first || others.length === 0) return first ?? new Set();
  return others.reduce((all, one) => all.union(one), first);
}
