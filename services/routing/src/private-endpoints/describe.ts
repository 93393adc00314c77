import type { Catalog, Model } from '@sluice/catalog';
import type {
  DescribedModel,
  DescribedProvider,
} from '@sluice/protos/sluice/catalog/v1/endpoint_check';
import { protocolOf } from './protocol.ts';

type Known = Pick<Catalog, 'find' | 'listed' | 'providers'>;

/** Returns the model of an id or a canonical slug. undefined: there is none that a private endpoint can serve. */
export function servableModel(catalog: Known, name: string): Model | undefined {
  const model = catalog.find(name) ?? catalog.listed.find((one) => one.canonicalSlug === name);
  if (!model) return undefined;
  const isServable = model.outputModalities.some((one) => one === 'text' || one === 'embeddings');
  return isServable ? model : undefined;
}

export function describedModel(catalog: Known, name: string): DescribedModel | undefined {
  const model = servableModel(catalog, name);
  if (!model) return undefined;
  const { canonicalSlug, id: slug, name: title } = model;
  return { name, canonicalSlug, slug, title };
}

export function describedProvider(catalog: Known, slug: string): DescribedProvider | undefined {
  const protocol = protocolOf(catalog, slug);
  return protocol && { slug, title: protocol.providerName };
}

/** Returns the price of a model at a provider. undefined: the catalog has none. */
export function pricingAt(model: Model, provider: string) {
  const found = model.endpoints.find(({ endpoint }) => endpoint.provider === provider);
  return found && { prompt: found.pricing.prompt, completion: found.pricing.completion };
}
