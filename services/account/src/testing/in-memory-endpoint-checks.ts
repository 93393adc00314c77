import type { Check, EndpointChecks } from '../commands/private-endpoints/endpoint-checks.ts';

const checkNames = [
  'config_ok',
  'credential_ok',
  'auth_ok',
  'response_ok',
  'stream_ok',
  'usage_ok',
  'model_ok',
];

/** Routing with one model and one provider. Its answers to checks are set by tests. */
export function inMemoryEndpointChecks() {
  const models = new Map([
    ['acme/large-2026', { canonicalSlug: 'acme/large-2026', slug: 'acme/large', title: 'Large' }],
  ]);
  const providers = new Map([['acme', { slug: 'acme', title: 'Acme' }]]);
  const state = {
    models,
    providers,
    pricing: undefined as { prompt: string; completion: string } | undefined,
    /** The secrets that a workspace may use now. */
    secretIds: ['secret-1'] as readonly string[],
    /** The failing check, and its reason. */
    failing: undefined as { readonly name: string; readonly reason: string } | undefined,
    /** Runs while the upstream is called. */
    during: async () => {},
    fault: undefined as Error | undefined,
  };
  const calls: EndpointChecks = {
    async describe({ model, provider, baseUrl }) {
      const found = [...models.values()].find(
        ({ canonicalSlug, slug }) => model === canonicalSlug || model === slug,
      );
      const isRefused = baseUrl?.startsWith('https://10.') === true;
      return {
        model: found,
        provider: providers.get(provider),
        pricing: state.pricing,
        baseUrlProblem: isRefused ? 'must be a public address' : undefined,
      };
    },
    names: async () => ({ models, providers }),
    async check() {
      await state.during();
      if (state.fault) throw state.fault;
      const checks = checkNames.map(checkOf);
      return { checks, credentialId: 'credential-1', secretId: state.secretIds[0] ?? '' };
    },
    usableSecrets: async () => state.secretIds,
  };
  function checkOf(name: string): Check {
    const isFailing = state.failing?.name === name;
    return { name, passed: !isFailing, reason: (isFailing && state.failing?.reason) || '' };
  }
  return Object.assign(state, { calls });
}
