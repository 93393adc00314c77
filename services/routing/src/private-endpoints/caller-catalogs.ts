import type { Catalog, CatalogEndpoint, Model } from '@sluice/catalog';
import { endpointRow } from '@sluice/catalog';
import { nowhere } from '../credentials/endpoint-with.ts';
import type { PrivateEndpoint } from './private-endpoints.ts';
import { type Protocol, protocolOf } from './protocol.ts';

const keepsNothing = { retains: false, trains: false, publishes: false };
const keepsPrompts = { retains: true, trains: false, publishes: false };

interface View {
  /** The version of the catalog that it was made of. */
  readonly of: readonly Model[];
  readonly catalog: Catalog;
}

/** The catalog as callers with private endpoints have it. */
export class CallerCatalogs {
  readonly #views = new WeakMap<readonly PrivateEndpoint[], View>();

  /** Returns the catalog in which these endpoints stand first at their models. Without any it is the same one. */
  with(catalog: Catalog, endpoints: readonly PrivateEndpoint[]): Catalog {
    if (endpoints.length === 0) return catalog;
    const known = this.#views.get(endpoints);
    if (known?.of === catalog.listed) return known.catalog;
    const made = { of: catalog.listed, catalog: viewOf(catalog, endpoints) };
    this.#views.set(endpoints, made);
    return made.catalog;
  }
}

function viewOf(catalog: Catalog, endpoints: readonly PrivateEndpoint[]): Catalog {
  const bySlug = Map.groupBy(endpoints, ({ modelPermaslug }) => modelPermaslug);
  const joined = new WeakMap<Model, Model>();
  function join(model: Model): Model {
    const known = joined.get(model);
    if (known) return known;
    const own = isVariant(model) ? [] : (bySlug.get(model.canonicalSlug) ?? []);
    const rows = own.flatMap((one) => privateEndpoint(catalog, model, one) ?? []);
    const made = rows.length === 0 ? model : { ...model, endpoints: [...rows, ...model.endpoints] };
    joined.set(model, made);
    return made;
  }
  const { providers, toolPrices, routers } = catalog;
  return {
    find(id) {
      const model = catalog.find(id);
      return model && join(model);
    },
    listed: catalog.listed.map(join),
    providers,
    toolPrices,
    routers,
  };
}

/** A variant has another price or another kind of service: its slug names it as well. */
function isVariant({ id, canonicalSlug }: Model): boolean {
  return id.includes(':') && !canonicalSlug.includes(':');
}

/** Returns the row of a private endpoint. undefined: the catalog has its provider no more. */
function privateEndpoint(
  catalog: Catalog,
  model: Model,
  endpoint: PrivateEndpoint,
): CatalogEndpoint | undefined {
  const { provider, baseUrl = nowhere, upstreamModelId, pricing, declaredRegion } = endpoint;
  const protocol = protocolOf(catalog, provider, model);
  if (!protocol) return undefined;
  const row = endpointRow(
    model.id,
    {
      ...wireOf(protocol),
      provider,
      baseUrl,
      apiKey: undefined,
      upstreamModel: upstreamModelId,
      efforts: model.reasoning?.efforts,
      isPrivate: true,
    },
    pricing,
    {
      providerName: endpoint.providerName,
      tag: `${provider}/private`,
      inputModalities: model.inputModalities,
      outputModalities: model.outputModalities,
      dataPolicy: dataPolicyOf(endpoint, protocol),
      dataRegion: declaredRegion ?? 'global',
      isByokOnly: true,
    },
  );
  return { ...row, id: endpoint.endpointId };
}

/** Returns the wire format of a private upstream. It has none of the tools that the provider runs itself. */
export function wireOf({ dialect, chat, hasFunctionsOnly, cancelsStreams }: Protocol) {
  return {
    dialect,
    keepsAnswers: false,
    nativeTools: [],
    ...(chat && { chat }),
    ...(hasFunctionsOnly !== undefined && { hasFunctionsOnly }),
    ...(cancelsStreams !== undefined && { cancelsStreams }),
  };
}

function dataPolicyOf({ declaredZdr }: PrivateEndpoint, { dataPolicy = keepsPrompts }: Protocol) {
  if (declaredZdr === undefined) return dataPolicy;
  return declaredZdr ? keepsNothing : { ...dataPolicy, retains: true };
}
