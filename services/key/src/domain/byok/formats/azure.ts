import { isApiKey, isHttpsUrl, ofForm, parseJson, slug, text, type Form } from './fields.ts';

const entriesMax = 100;

const resource: Form = {
  required: { api_key: isApiKey, resource_name: text(/^[A-Za-z0-9](?:[A-Za-z0-9-]{0,62})$/) },
  optional: { resource_type: text(/^(?:ai_foundry|openai)$/) },
};
const deployment: Form = {
  required: {
    model_slug: text(/^[\x21-\x7e]{1,256}$/),
    endpoint_url: isHttpsUrl,
    api_key: isApiKey,
    model_id: slug,
  },
};

/** The key of the first entry; undefined when it is no list of resources and deployments. */
export function azureSecret(credential: string): string | undefined {
  const entries = parseJson(credential);
  if (!Array.isArray(entries) || entries.length === 0 || entries.length > entriesMax)
    return undefined;
  const keys = entries.map((entry: unknown) => keyOf(entry));
  return keys.includes(undefined) ? undefined : keys[0];
}

function keyOf(entry: unknown): string | undefined {
  const key = (ofForm(entry, resource) ?? ofForm(entry, deployment))?.['api_key'];
  return typeof key === 'string' ? key : undefined;
}
