import type { InferenceRequest, InputItem } from '@sluice/inference';
import { knowsDefinedTools } from './abilities.ts';
import type { Endpoint } from './endpoint.ts';
import { repairHistory } from './history/repair-history.ts';
import { withDefinedFunctions } from './tools/defined-functions.ts';
import { type RenderedTools, renderTools } from './tools/render-tools.ts';
import type { ChangeParts } from './tools/restore-calls.ts';
import type { Translator } from './translation.ts';
import { withoutHalfEscapes } from './well-formed.ts';

export interface PreparedCall {
  /** The path that is appended to the endpoint's base URL. */
  readonly path: string;
  readonly body: unknown;
  /** Restores the calls in the parts of the answer. Absent: they are as the upstream sends them. */
  readonly restore?: ChangeParts;
}

/** Builds the call of a request, after its history and its tools have the form that the endpoint takes. */
export function prepareCall(
  translator: Translator,
  endpoint: Endpoint,
  asked: InferenceRequest,
): PreparedCall {
  const request = knowsDefinedTools(endpoint) ? asked : withDefinedFunctions(asked);
  if (request.embedding) {
    const { embeddings } = translator;
    if (!embeddings) throw new Error(`invariant: ${endpoint.dialect} has embeddings`);
    return { path: embeddings.path(endpoint), body: embeddings.body(endpoint, request) };
  }
  if (request.ranking) {
    const { ranking } = translator;
    if (!ranking) throw new Error(`invariant: ${endpoint.dialect} ranks documents`);
    return { path: ranking.path(endpoint), body: ranking.body(endpoint, request) };
  }
  const path = translator.path(endpoint, request);
  if (translator.hasAllTools && !endpoint.hasFunctionsOnly)
    return { path, body: translator.body(endpoint, repaired(translator, request)) };
  const { request: rendered, restore } = plainRequest(translator, request);
  return { path, body: translator.body(endpoint, rendered), ...(restore && { restore }) };
}

/** Returns the request for an endpoint with functions alone. */
export function plainRequest(translator: Translator, request: InferenceRequest): RenderedTools {
  return renderTools(repaired(translator, request), translator.names);
}

function repaired({ history }: Translator, request: InferenceRequest): InferenceRequest {
  const repairedItems = repairHistory(request, history);
  const items = repairedItems.some(hasHalves) ? repairedItems.map(wellFormedCall) : repairedItems;
  return items === request.items ? request : { ...request, items };
}

/** Arguments are JSON in JSON: a provider that reads them finds the halves of characters that they have as escapes. */
function wellFormedCall(item: InputItem): InputItem {
  return item.type === 'function-call'
    ? { ...item, arguments: withoutHalfEscapes(item.arguments) }
    : item;
}

function hasHalves(item: InputItem): boolean {
  return item.type === 'function-call' && withoutHalfEscapes(item.arguments) !== item.arguments;
}
