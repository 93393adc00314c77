interface Resource {
  /** The heading that its routes stand under in the API's description. */
  readonly tag: string;
  /** The type of the resource in an audit entry. */
  readonly type: string;
}

/** The resources by the first word of a route's path. */
const resources: Readonly<Record<string, Resource>> = {
  responses: { tag: 'Inference', type: 'response' },
  chat: { tag: 'Inference', type: 'response' },
  messages: { tag: 'Inference', type: 'response' },
  models: { tag: 'Models', type: 'model' },
  model: { tag: 'Models', type: 'model' },
  embeddings: { tag: 'Inference', type: 'embedding' },
  rerank: { tag: 'Inference', type: 'ranking' },
  endpoints: { tag: 'Models', type: 'model' },
  providers: { tag: 'Models', type: 'provider' },
  keys: { tag: 'Keys', type: 'api_key' },
  key: { tag: 'Keys', type: 'api_key' },
  organization: { tag: 'Organization', type: 'organization' },
  'end-users': { tag: 'End users', type: 'end_user' },
  scim: { tag: 'Directory', type: 'directory' },
  workspaces: { tag: 'Workspaces', type: 'workspace' },
  presets: { tag: 'Presets and aliases', type: 'preset' },
  'model-aliases': { tag: 'Presets and aliases', type: 'model_alias' },
  guardrails: { tag: 'Guardrails', type: 'guardrail' },
  byok: { tag: 'Provider credentials', type: 'provider_credential' },
  credits: { tag: 'Credits and use', type: 'credits' },
  activity: { tag: 'Credits and use', type: 'activity' },
  analytics: { tag: 'Credits and use', type: 'analytics' },
  proof: { tag: 'Credits and use', type: 'budget' },
  generation: { tag: 'Generations', type: 'generation' },
  files: { tag: 'Files', type: 'file' },
  containers: { tag: 'Containers', type: 'container' },
  observability: { tag: 'Observability', type: 'destination' },
  'private-endpoints': { tag: 'Private endpoints', type: 'private_endpoint' },
  '': { tag: 'This description', type: 'description' },
  v1: { tag: 'This description', type: 'description' },
  'openapi.json': { tag: 'This description', type: 'description' },
  docs: { tag: 'This description', type: 'description' },
};

export const allTags = [...new Set(Object.values(resources).map(({ tag }) => tag))].map((name) => ({
  name,
}));

/** Returns the resource of a route's path. A test checks that every path has one. */
export function resourceOf(url: string): Resource {
  const [first = ''] = url
    .replace(/^\/v1\//, '/')
    .slice(1)
    .split('/');
  return resources[first] ?? { tag: first, type: 'other' };
}
