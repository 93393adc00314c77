import type { Case, Dialect, Model } from './case.ts';
import type { Upstream } from './upstream.ts';

const pricing = {
  prompt: '0.000001',
  completion: '0.000002',
  input_cache_read: '0.0000005',
  internal_reasoning: '0.000003',
};
const modalities = {
  input_modalities: ['text', 'image', 'file', 'audio', 'video'],
  output_modalities: ['text', 'image'],
};

/** A row of the catalog file. */
interface Provider {
  readonly dialect: Dialect;
  readonly slug: string;
  readonly name: string;
  readonly base_url: string;
  readonly api_key_env: string;
}

/** The id of a model of a case: no two cases share one, so that none learns of the other's failures. */
export const idOf = (one: Pick<Case, 'name'>, name: string): string => `golden/${one.name}/${name}`;

/** The catalog file of these cases; the upstream learns what to answer for each of their endpoints. */
export function catalogOf(cases: readonly Case[], { url, answers }: Upstream): object {
  const providers = new Map<string, Provider>();
  const row = (one: Case, name: string, { endpoints, facts }: Model) => ({
    id: idOf(one, name),
    context_length: 128_000,
    max_output_tokens: 16_384,
    ...facts,
    endpoints: endpoints.map(({ dialect, answer, provider = dialect, ...endpoint }, place) => {
      const upstreamModel = `${one.name}/${name}/${String(place)}`.replaceAll('/', '.');
      if (answer) answers.set(upstreamModel, answer);
      // The catalog file has one row for a provider: the last dialect would be that of all its endpoints.
      if ((providers.get(provider)?.dialect ?? dialect) !== dialect)
        throw new Error(`${one.name}: the provider ${provider} has two dialects`);
      providers.set(provider, {
        slug: provider,
        name: `The ${provider}`,
        dialect,
        base_url: url,
        api_key_env: 'GOLDENS_KEY',
        ...endpoint.providerFacts,
      });
      return {
        provider,
        upstream_model: upstreamModel,
        pricing,
        ...modalities,
        ...endpoint.facts,
      };
    }),
  });
  const models = cases.flatMap((one) =>
    Object.entries(one.models ?? {}).map(([name, model]) => row(one, name, model)),
  );
  return { providers: [...providers.values()], models };
}
