import { type Check, isApiKey, ofForm, parseJson, slug, text, type Form } from './fields.ts';

const entriesMax = 100;

const resource: Form = {
  required: { api_key: isApiKey, resource_name: text(/^[A-Za-z0-9](?:[A-Za-z0-9-]{0,62})$/) },
  optional: { resource_type: text(/^(?:ai_foundry|openai)$/) },
};
const deployment = (isUrl: Check): Form => ({
  required: {
    model_slug: text(/^[\x21-\x7e]{1,256}$/),
    endpoint_url: isUrl,
    api_key: isApiKey,
    model_id: slug,
  },
});

/** The key of the first entry; undefined when it is no list of resources and deployments. */
export function azureSecret(credential: string, isUrl: Check): string | undefined {
  const entries = parseJson(credential);
  if (!Array.isArray(entries) || entries.length === 0 || entries.length > entriesMax)
    return undefined;
  const form = deployment(isUrl);
  const keys = entries.map((entry: unknown) => keyOf(entry, form));
  return keys.includes(undefined) ? undefined : keys[0];
}

function keyOf(entry: unknown, form: Form): string | undefined {
  const key = (ofForm(entry, resource) ?? ofForm(entry, form))?.['api_key'];
  return typeof key === 'string' ? key : undefined;
}
