import type { CatalogProvider, Model } from '@sluice/catalog';

/** A provider that serves models. */
export type ListedProvider = CatalogProvider;

/** A provider as lists show it. Unknown values are null. */
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

/** Returns the providers with listed endpoints, in catalog order, with their known facts. */
export function providersOf(
  models: readonly Model[],
  known: readonly CatalogProvider[] = [],
): readonly ListedProvider[] {
  const facts = new Map(known.map((provider) => [provider.slug, provider]));
  const providers = new Map<string, ListedProvider>();
  for (const { endpoints } of models)
    for (const { endpoint, providerName } of endpoints)
      if (!providers.has(endpoint.provider))
        providers.set(endpoint.provider, {
          slug: endpoint.provider,
          name: providerName,
          ...facts.get(endpoint.provider),
        });
  return [...providers.values()];
}
