import { isObject, type JsonObject } from '@sluice/client-schemas';
import { isRejection, type Rejection } from '@sluice/errors';
import type { InferenceCall } from '@sluice/inference-port';
import type { Preferences } from '../../request/preferences.ts';
import type { ModelQuestion } from '../../tools/ask-model.ts';
import type { Pipeline } from '../deps.ts';
import { readCall, type ReadCall } from '../planning/read-call.ts';
import type { Asker, Asking, InnerPlace } from './asking.ts';

/**
 * Reads a question like a request of the caller: its fields are checked, and the caller's demands on the handling of
 * its data hold for it, too.
 */
export async function readQuestion(
  pipeline: Pipeline,
  asker: Asker,
  { question, signal }: Pick<Asking, 'question' | 'signal'>,
  inner: InnerPlace,
): Promise<ReadCall | Rejection> {
  const { askers } = inner;
  const body = Buffer.from(JSON.stringify(bodyOf(question, askers)));
  const call: InferenceCall = { ...asker.call, dialect: 'responses', body, signal };
  const read = await readCall(pipeline, call, inner);
  if (isRejection(read)) return read;
  const { parsed } = read;
  const { inference, preferences } = parsed.call;
  const { user, sessionId, safetyIdentifier, trace } = asker.request;
  const asked = {
    ...parsed.call,
    user,
    sessionId,
    safetyIdentifier,
    trace,
    preferences: withDemands(preferences, asker.request.preferences),
    inference: {
      ...inference,
      items: itemsOf(question),
      tools: [...inference.tools, ...(question.functions ?? [])],
    },
  };
  return { ...read, parsed: { ...parsed, call: asked } };
}

/** The items of a question are in the canonical language already: a word stands for them. */
function bodyOf(
  { model, fields = {}, onText, onReasoning }: ModelQuestion,
  askers: ReadonlySet<string>,
): JsonObject {
  const { tools, ...rest } = fields;
  const left = Array.isArray(tools)
    ? tools.filter((tool: unknown) => !(isObject(tool) && askers.has(String(tool['type']))))
    : [];
  const stream = onText !== undefined || onReasoning !== undefined;
  return { ...rest, ...(left.length > 0 && { tools: left }), model, input: 'x', stream };
}

function itemsOf({ instructions, items }: ModelQuestion): ModelQuestion['items'] {
  if (instructions === undefined) return items;
  const content = [{ type: 'text', text: instructions }] as const;
  return [{ type: 'message', role: 'system', content }, ...items];
}

/** Adds the caller's demands that protect its data and bound its costs. Its order of providers is for its own model. */
function withDemands(own: Preferences, outer: Preferences): Preferences {
  return {
    ...own,
    only: outer.only ?? own.only,
    ignore: [...own.ignore, ...outer.ignore],
    deniesDataCollection: own.deniesDataCollection || outer.deniesDataCollection,
    demandsZeroRetention: own.demandsZeroRetention || outer.demandsZeroRetention,
    demandsDistillable: own.demandsDistillable || outer.demandsDistillable,
    priceMax: outer.priceMax ?? own.priceMax,
  };
}
