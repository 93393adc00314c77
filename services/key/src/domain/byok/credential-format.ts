import { azureSecret } from './formats/azure.ts';
import { bedrockSecret } from './formats/bedrock.ts';
import { type Check, isApiKey } from './formats/fields.ts';
import { vertexSecret } from './formats/vertex.ts';

const shownAtStart = 3;
const shownAtEnd = 4;
/** Shorter ones are not shown at all: their ends would be most of them. */
const shownLengthMin = 16;

/** Says whether a credential for a provider may name a URL. */
export type UrlCheck = (provider: string, url: string) => boolean;

/**
 * Returns the visible part of a credential: the ends of its main secret. undefined: the credential does
 * not have the provider's format. No other part of it is ever returned.
 */
export function labelOf(
  provider: string,
  credential: string,
  isUrlOf: UrlCheck,
): string | undefined {
  const secret = mainSecret(provider, credential, (value) => {
    return typeof value === 'string' && isUrlOf(provider, value);
  });
  return secret === undefined ? undefined : masked(secret);
}

/** Describes the format that the provider expects, for an error message. */
export function formatOf(provider: string): string {
  switch (provider) {
    case 'azure':
      return 'a JSON list of {api_key, resource_name} or {model_slug, endpoint_url, api_key, model_id}';
    case 'amazon-bedrock':
      return 'an API key, or JSON {accessKeyId, secretAccessKey, region}';
    case 'google-vertex':
      return 'the JSON of a service account, with an optional region and bucket';
    default:
      return 'an API key: printable characters without spaces';
  }
}

function mainSecret(provider: string, credential: string, isUrl: Check): string | undefined {
  switch (provider) {
    case 'azure':
      return azureSecret(credential, isUrl);
    case 'amazon-bedrock':
      return bedrockSecret(credential);
    case 'google-vertex':
      return vertexSecret(credential, isUrl);
    default:
      return isApiKey(credential) ? credential : undefined;
  }
}

function masked(secret: string): string {
  if (secret.length < shownLengthMin) return '...';
  return `${secret.slice(0, shownAtStart)}...${secret.slice(-shownAtEnd)}`;
}
