import type { CatalogEndpoint, Model } from '../catalog/catalog.ts';
import type { Guardrail, Policy } from '../policy/policy.ts';

type Rules = NonNullable<Guardrail['rules']>;

/** What the guardrails of a policy leave of a model's endpoints. */
export interface Permitted {
  readonly endpoints: readonly CatalogEndpoint[];
  /** Taken away for what their provider keeps, and for nothing else. */
  readonly retaining: readonly CatalogEndpoint[];
  readonly demandsZeroRetention: boolean;
}

export function permittedEndpoints(
  model: Model,
  endpoints: readonly CatalogEndpoint[],
  { guardrails }: Pick<Policy, 'guardrails'>,
): Permitted {
  const all = guardrails.flatMap(({ rules }) => rules ?? []);
  const demandsZeroRetention = all.some((rules) => wantsZeroRetention(rules, model));
  if (!all.every((rules) => permitsModel(rules, model)))
    return { endpoints: [], retaining: [], demandsZeroRetention };
  const left = endpoints.filter((one) => all.every((rules) => permitsEndpoint(rules, one)));
  return {
    endpoints: left.filter(({ dataPolicy }) => !(demandsZeroRetention && dataPolicy.retains)),
    retaining: left.filter(({ dataPolicy }) => demandsZeroRetention && dataPolicy.retains),
    demandsZeroRetention,
  };
}

/** Guardrails name models by their canonical slugs; a variant is its model. */
function permitsModel({ allowedModels, ignoredModels }: Rules, model: Model): boolean {
  const [withoutVariant = ''] = model.id.split(':');
  const isNamed = (slugs: readonly string[]) =>
    [model.canonicalSlug, model.id, withoutVariant].some((name) => slugs.includes(name));
  if (allowedModels && !isNamed(allowedModels.values)) return false;
  return !(ignoredModels && isNamed(ignoredModels.values));
}

function permitsEndpoint(rules: Rules, one: CatalogEndpoint): boolean {
  const { allowedProviders, ignoredProviders, allowedDataRegions } = rules;
  const { provider } = one.endpoint;
  if (allowedProviders && !allowedProviders.values.includes(provider)) return false;
  if (ignoredProviders?.values.includes(provider)) return false;
  if (allowedDataRegions && !allowedDataRegions.values.includes(one.dataRegion)) return false;
  return permitsUse(rules, one);
}

function permitsUse(rules: Rules, { prices, dataPolicy }: CatalogEndpoint): boolean {
  const isFree = prices.inputTokenAttoUsd === 0n && prices.outputTokenAttoUsd === 0n;
  const training = isFree ? rules.enableFreeModelTraining : rules.enablePaidModelTraining;
  if (dataPolicy.trains && training === false) return false;
  return !(isFree && dataPolicy.publishes && rules.enableFreeModelPublication === false);
}

const families: ReadonlyMap<string, 'anthropic' | 'openai' | 'google' | 'xai'> = new Map([
  ['anthropic', 'anthropic'],
  ['openai', 'openai'],
  ['google', 'google'],
  ['x-ai', 'xai'],
  ['xai', 'xai'],
]);

function wantsZeroRetention({ zeroRetention }: Rules, { id }: Model): boolean {
  if (!zeroRetention) return false;
  const family = families.get(id.slice(0, id.indexOf('/'))) ?? 'other';
  return zeroRetention[family] === true;
}
