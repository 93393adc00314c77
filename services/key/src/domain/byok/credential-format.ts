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
 * What may be seen of a credential as the provider wants it: the ends of its main secret. undefined:
 * it is not in the provider's form. Nothing of it is told anywhere else.
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

/** What the provider wants, in words for the one who sent something else. */
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
