import type { Model } from '../catalog/catalog.ts';

/** Who serves; null: not known. */
export interface ListedProvider {
  readonly slug: string;
  readonly name: string;
  readonly privacyPolicyUrl?: string;
  readonly termsOfServiceUrl?: string;
  readonly statusPageUrl?: string;
  /** A country code. */
  readonly headquarters?: string;
  readonly datacenters?: readonly string[];
}

export function providerView(provider: ListedProvider): object {
  return {
    name: provider.name,
    slug: provider.slug,
    privacy_policy_url: provider.privacyPolicyUrl ?? null,
    terms_of_service_url: provider.termsOfServiceUrl ?? null,
    status_page_url: provider.statusPageUrl ?? null,
    headquarters: provider.headquarters ?? null,
    datacenters: provider.datacenters ?? null,
  };
}

/** Whose endpoints are in the catalogue, in its order. */
export function providersOf(models: readonly Model[]): readonly ListedProvider[] {
  const providers = new Map<string, ListedProvider>();
  for (const { endpoints } of models)
    for (const { endpoint, providerName } of endpoints)
      if (!providers.has(endpoint.provider))
        providers.set(endpoint.provider, { slug: endpoint.provider, name: providerName });
  return [...providers.values()];
}
