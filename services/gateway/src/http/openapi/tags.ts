/** The first word of a route's path → the heading it stands under. */
const tags: Readonly<Record<string, string>> = {
  responses: 'Inference',
  models: 'Inference',
  keys: 'Keys',
  key: 'Keys',
  organization: 'Organization',
  'end-users': 'End users',
  scim: 'Directory',
  workspaces: 'Workspaces',
  guardrails: 'Guardrails',
  byok: 'Provider credentials',
  credits: 'Credits and use',
  activity: 'Credits and use',
  analytics: 'Credits and use',
  proof: 'Credits and use',
  generation: 'Generations',
  observability: 'Observability',
  'private-endpoints': 'Private endpoints',
  'openapi.json': 'This description',
  docs: 'This description',
};

export const allTags = [...new Set(Object.values(tags))].map((name) => ({ name }));

/** The heading of a path; what is of no known kind stands under its own first word. */
export function tagOf(url: string): string {
  const [first = ''] = url
    .replace(/^\/v1\//, '/')
    .slice(1)
    .split('/');
  return tags[first] ?? first;
}
