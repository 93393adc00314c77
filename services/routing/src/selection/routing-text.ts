import type { CatalogEndpoint } from '@sluice/catalog';
import type { Candidate } from './candidate.ts';
import type { Exclusion, Placement, Plan, RouterChoice } from './plan.ts';

const endpointsMax = 50;

/** Returns the reasons of a plan as the record of its generation keeps them: JSON of at most 50 endpoints. */
export function routingText(plan: Plan): string {
  return onlyText(plan) ?? textOf(plan);
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
  const { requestedModels, strategy, explanation } = plan;
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
  const text = textOf(plan);
  lastSaid.set(only.endpoint, { requested, strategy, reason, text });
  return text;
}

function textOf({ requestedModels, strategy, explanation }: Plan): string {
  const requested = `"requested":${JSON.stringify(requestedModels)},"strategy":"${strategy}"`;
  const candidates = listText(explanation.candidates, candidateText);
  const excluded = listText(explanation.excluded, exclusionText);
  const order = listText(explanation.order, placementText);
  const router = routerText(explanation.router);
  return `{${requested},"candidates":${candidates},"excluded":${excluded},"order":${order}${router}}`;
}

function routerText(router: RouterChoice | undefined): string {
  if (!router) return '';
  const { slug, report } = router;
  const { summary, data } = report ?? {};
  return `,"router":${JSON.stringify({ slug, summary, data })}`;
}

function listText<One>(all: readonly One[], textOf: (one: One) => string): string {
  let text = '';
  for (const [index, one] of all.entries()) {
    if (index === endpointsMax) break;
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

function placementText({ endpointId, reason }: Placement): string {
  return `{"endpoint_id":${JSON.stringify(endpointId)},"reason":${JSON.stringify(reason)}}`;
}
