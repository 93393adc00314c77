import type { CatalogEndpoint } from '@sluice/catalog';
import type { Candidate } from './candidate.ts';
import type { Exclusion, Placement, Plan, RouterChoice } from './plan.ts';

const endpointsMax = 50;

/** Bounds the bytes of a record, whatever the names in the catalog and in requests are. */
export const routingBytesMax = 32_768;
const routerBytesMax = 12_288;

/** Returns the reasons of a plan as the record of its generation keeps them: at most 50 endpoints, 32 KiB. */
export function routingText(plan: Plan): string {
  return onlyText(plan) ?? boundedText(plan);
}

/** Shortens all lists alike until the text fits. */
function boundedText(plan: Plan): string {
  let text = textOf(plan, endpointsMax);
  for (let max = endpointsMax; max > 0 && Buffer.byteLength(text) > routingBytesMax;) {
    max = Math.floor(max / 2);
    text = textOf(plan, max);
  }
  return text;
}

/** The last text of a plan that had no choice of endpoints, and the plan's values. */
interface Said {
  readonly requested: string;
  readonly strategy: string;
  readonly reason: string;
  readonly text: string;
}

const lastSaid = new WeakMap<CatalogEndpoint, Said>();

/** Returns the cached text of a plan with one endpoint, which most plans have, or undefined if there was a choice. */
function onlyText(plan: Plan): string | undefined {
  const { requestedModels, strategy, explanation, preset, alias } = plan;
  if (preset || alias) return undefined;
  const { candidates, excluded, order, router } = explanation;
  const [requested] = requestedModels;
  const [only] = candidates;
  const [placed] = order;
  if (requested === undefined || requestedModels.length > 1 || excluded.length > 0 || router)
    return undefined;
  if (!only || candidates.length > 1 || !placed || order.length > 1) return undefined;
  if (placed.endpointId !== only.endpoint.id) return undefined;
  const said = lastSaid.get(only.endpoint);
  const { reason } = placed;
  if (said?.requested === requested && said.strategy === strategy && said.reason === reason)
    return said.text;
  const text = boundedText(plan);
  lastSaid.set(only.endpoint, { requested, strategy, reason, text });
  return text;
}

function textOf(plan: Plan, max: number): string {
  const { requestedModels, strategy, explanation } = plan;
  const requested = `"requested":${JSON.stringify(requestedModels)},"strategy":"${strategy}"`;
  const candidates = listText(explanation.candidates, candidateText, max);
  const excluded = listText(explanation.excluded, exclusionText, max);
  const order = listText(explanation.order, placementText, max);
  const router = routerText(explanation.router);
  const named = namedText(plan);
  return `{${requested},"candidates":${candidates},"excluded":${excluded},"order":${order}${router}${named}}`;
}

/** Returns the preset and the alias of the request, and why its models did not serve. */
function namedText({ preset, alias, budgetRefusal }: Plan): string {
  if (!preset && !alias) return '';
  const { id, slug, version } = preset ?? {};
  const text = JSON.stringify({
    ...(preset && { preset: { id, slug, version } }),
    ...(alias && {
      alias: {
        name: alias.name,
        version: alias.version,
        models: alias.models,
        budget_model: alias.budgetModel ?? null,
        ...(budgetRefusal !== undefined && { budget_refusal: budgetRefusal }),
      },
    }),
  });
  return `,${text.slice(1, -1)}`;
}

function routerText(router: RouterChoice | undefined): string {
  if (!router) return '';
  const { slug, report } = router;
  const { summary, data } = report ?? {};
  let text = JSON.stringify({ slug, summary, data });
  for (let max = endpointsMax; max > 0 && Buffer.byteLength(text) > routerBytesMax;) {
    max = Math.floor(max / 2);
    text = JSON.stringify({ slug, summary, data: withShortLists(data ?? {}, max), is_cut: true });
  }
  return `,"router":${text}`;
}

function withShortLists(data: Readonly<Record<string, unknown>>, max: number) {
  return Object.fromEntries(
    Object.entries(data).map(([name, value]): [string, unknown] => [
      name,
      Array.isArray(value) ? value.slice(0, max) : value,
    ]),
  );
}

function listText<One>(all: readonly One[], textOf: (one: One) => string, max: number): string {
  let text = '';
  for (const [index, one] of all.entries()) {
    if (index === max) break;
    text += index === 0 ? textOf(one) : `,${textOf(one)}`;
  }
  return `[${text}]`;
}

const candidateTexts = new WeakMap<CatalogEndpoint, string>();

/** Caches the text of each endpoint, because it never changes. */
function candidateText({ model, endpoint }: Candidate): string {
  const known = candidateTexts.get(endpoint);
  if (known !== undefined) return known;
  const text = JSON.stringify({
    endpoint_id: endpoint.id,
    model: model.id,
    provider: endpoint.endpoint.provider,
    tag: endpoint.tag,
  });
  candidateTexts.set(endpoint, text);
  return text;
}

function exclusionText({ endpointId, filter }: Exclusion): string {
  return `{"endpoint_id":${JSON.stringify(endpointId)},"filter":${JSON.stringify(filter)}}`;
}

function placementText({ endpointId, reason, seed }: Placement): string {
  const drawn = seed === undefined ? '' : `,"seed":${JSON.stringify(seed)}`;
  return `{"endpoint_id":${JSON.stringify(endpointId)},"reason":${JSON.stringify(reason)}${drawn}}`;
}
