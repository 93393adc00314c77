import type { Catalog, CatalogEndpoint, Model } from '@sluice/catalog';
import { isProviderSlug } from '@sluice/provider-registry';
import { compatibleChat, type Endpoint, providerPresets } from '@sluice/providers';

/** The wire format of a provider, wherever its API is. */
export interface Protocol extends Pick<
  Endpoint,
  'dialect' | 'chat' | 'hasFunctionsOnly' | 'cancelsStreams' | 'countsTextsOnly' | 'nativeTools'
> {
  readonly providerName: string;
  /** The provider's use of prompts; undefined: not known. */
  readonly dataPolicy: CatalogEndpoint['dataPolicy'] | undefined;
}

/**
 * Returns the protocol of a provider: that of its endpoint for the model, of another one, or of the built-in provider.
 * Well-known providers without any of these speak chat completions. undefined: there is no such provider.
 */
export function protocolOf(
  catalog: Pick<Catalog, 'listed' | 'providers'>,
  provider: string,
  model?: Model,
): Protocol | undefined {
  const known = model?.endpoints.find(isAt(provider)) ?? endpointAt(catalog, provider);
  if (known) return { ...known.endpoint, ...known };
  const preset = providerPresets.find(({ slug }) => slug === provider);
  if (preset && preset.isLocal !== true) {
    const { dialect, chat, name: providerName, cancelsStreams = false } = preset;
    return { dialect, chat, cancelsStreams, providerName, dataPolicy: undefined };
  }
  const named = catalog.providers.find(({ slug }) => slug === provider);
  if (!named && !isProviderSlug(provider)) return undefined;
  const providerName = named?.name ?? provider;
  return { dialect: 'openai-chat', chat: compatibleChat, providerName, dataPolicy: undefined };
}

function endpointAt(
  { listed }: Pick<Catalog, 'listed'>,
  provider: string,
): CatalogEndpoint | undefined {
  for (const { endpoints } of listed) {
    const found = endpoints.find(isAt(provider));
    if (found) return found;
  }
  return undefined;
}

const isAt =
  (provider: string) =>
  ({ endpoint }: CatalogEndpoint): boolean =>
    endpoint.provider === provider;
