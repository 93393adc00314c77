import { isCredentialUrl } from '@sluice/provider-registry';
import type { Endpoint } from '@sluice/providers';
import { Secret } from '@sluice/boot';

const azurePath = '/openai/v1';
/** The address of a private endpoint whose credential tells the real one. */
export const nowhere = 'https://provider.invalid';

function isNowhere({ baseUrl }: Endpoint): boolean {
  return baseUrl === nowhere;
}

/**
 * The endpoint called with an own credential in the form that its provider wants. undefined: there is no way
 * to call it so. What is inside the secret stays inside a Secret.
 */
export function endpointWith(
  endpoint: Endpoint,
  modelId: string,
  secret: Secret,
): Endpoint | undefined {
  // An answer that is stored is asked for later with the platform's credential, which is another one.
  const own = { ...endpoint, keepsAnswers: false };
  const text = secret.reveal();
  switch (endpoint.provider) {
    case 'azure':
      return endpoint.isPrivate
        ? privateAzureEndpoint(own, modelId, text)
        : azureEndpoint(own, modelId, text);
    case 'amazon-bedrock':
    case 'google-vertex':
      return text.trimStart().startsWith('{') ? undefined : { ...own, apiKey: secret };
    default:
      return { ...own, apiKey: secret };
  }
}

/**
 * Returns a private endpoint of Azure with a key of the credential. Its own address and the name of its model stand
 * before those of the credential.
 */
function privateAzureEndpoint(
  endpoint: Endpoint,
  modelId: string,
  text: string,
): Endpoint | undefined {
  const { upstreamModel } = endpoint;
  const found = azureEndpoint(endpoint, modelId, text);
  if (isNowhere(endpoint)) return found && { ...found, upstreamModel };
  const key = found?.apiKey ?? keyOf(entriesOf(text)) ?? (text.startsWith('[') ? undefined : text);
  if (key === undefined) return undefined;
  return { ...endpoint, apiKey: typeof key === 'string' ? new Secret(key) : key };
}

function keyOf(entries: readonly Entry[]): string | undefined {
  return entries.find((entry) => entry['api_key'] !== undefined)?.['api_key'];
}

/** A deployment of the model before any resource. */
function azureEndpoint(endpoint: Endpoint, modelId: string, text: string): Endpoint | undefined {
  const entries = entriesOf(text);
  const deployment = entries.find((entry) => entry['model_slug'] === modelId);
  const { endpoint_url: url, model_id: upstreamModel, api_key: key } = deployment ?? {};
  if (url !== undefined && upstreamModel !== undefined && key !== undefined)
    return isAzure(url)
      ? { ...endpoint, baseUrl: url.replace(/\/+$/, ''), upstreamModel, apiKey: new Secret(key) }
      : undefined;
  const resource = entries.find((entry) => entry['resource_name'] !== undefined);
  if (resource?.['api_key'] === undefined) return undefined;
  const suffix =
    resource['resource_type'] === 'ai_foundry' ? 'services.ai.azure.com' : 'openai.azure.com';
  const baseUrl = `https://${resource['resource_name']?.toLowerCase()}.${suffix}${azurePath}`;
  return isAzure(baseUrl)
    ? { ...endpoint, baseUrl, apiKey: new Secret(resource['api_key']) }
    : undefined;
}

/** Checked here too: a credential of an earlier release may name another host. */
function isAzure(url: string): boolean {
  return isCredentialUrl('azure', url);
}

type Entry = Readonly<Record<string, string>>;

function entriesOf(text: string): readonly Entry[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter(isEntry) : [];
  } catch {
    // Whatever the parser says of it would repeat a part of it.
    return [];
  }
}

function isEntry(value: unknown): value is Entry {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((member) => typeof member === 'string')
  );
}
