import type { Prices } from '@sluice/inference';
import type { ServiceTier } from './catalog.ts';
import { type CatalogFile, type FileModel, InvalidCatalog } from './file.ts';
import { pricesOf, pricingProblem, timedPricesOf } from './pricing.ts';
import { endpointId, endpointTag } from './rows.ts';
import { type ToolPrice, toolPricesOf } from './tool-prices.ts';

/** The prices of one endpoint of a catalog file. */
export interface PricedEndpoint {
  readonly id: string;
  readonly tier: ServiceTier;
  readonly endpoint: { readonly provider: string };
  readonly prices: Prices;
  readonly pricesAt?: (instant: Date) => Prices;
}

/** An endpoint, and all endpoints of its model. */
interface Found {
  readonly endpoint: PricedEndpoint;
  readonly model: { readonly endpoints: readonly PricedEndpoint[] };
}

/** The prices of a catalog file alone: without providers that are switched on, and without built-in models. */
export interface PriceBook {
  /**
   * Returns the prices of the endpoint that answered, or else those of the only endpoint of the model at that provider.
   * undefined: the file has no such endpoint.
   */
  find(served: {
    readonly model: string;
    readonly provider: string;
    readonly endpointId: string;
  }): Found | undefined;
  /** Returns the prices of a tool with an engine, one for each mode. Empty: the file has no row for them. */
  toolPrices(tool: string, engine: string): readonly ToolPrice[];
}

/** Throws InvalidCatalog if a price of the file cannot be used. */
export function priceBookOf({ models = [], tool_prices: rows = [] }: CatalogFile): PriceBook {
  const problems: string[] = [];
  const known = new Map<string, readonly PricedEndpoint[]>();
  for (const [index, model] of models.entries()) {
    if (known.has(model.id)) problems.push(`models[${index}].id: ${model.id} comes twice`);
    known.set(model.id, endpointsOf(model, `models[${index}]`, problems));
  }
  if (problems.length > 0) throw new InvalidCatalog(problems);
  const tools = toolPricesOf(rows);
  return {
    find({ model, provider, endpointId: id }) {
      const endpoints = known.get(model) ?? [];
      const same = endpoints.find((one) => one.id === id);
      const [only, ...more] = endpoints.filter(({ endpoint }) => endpoint.provider === provider);
      const endpoint = same ?? (more.length === 0 ? only : undefined);
      return endpoint && { endpoint, model: { endpoints } };
    },
    toolPrices: (tool, engine) =>
      rows.some((row) => row.tool === tool && (row.engine ?? '') === engine)
        ? tools.ofEngine({ tool, engine })
        : [],
  };
}

function endpointsOf(
  { id: modelId, endpoints }: FileModel,
  path: string,
  problems: string[],
): readonly PricedEndpoint[] {
  return endpoints.flatMap((row, index) => {
    const problem = pricingProblem(row.pricing);
    if (problem !== undefined) {
      problems.push(`${path}.endpoints[${index}].pricing.${problem}`);
      return [];
    }
    const { provider, upstream_model: upstreamModel, tier = 'default', pricing } = row;
    const pricesAt = timedPricesOf(pricing);
    return {
      id: endpointId(modelId, { provider, upstreamModel, tag: endpointTag(row) }),
      tier: tier as ServiceTier,
      endpoint: { provider },
      prices: pricesOf(pricing),
      ...(pricesAt && { pricesAt }),
    };
  });
}
