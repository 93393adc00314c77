import type { InferenceRequest, ModelOptions } from '@sluice/inference';
import type { Endpoint } from '../endpoint.ts';
import { effortShares } from '../reasoning-effort.ts';
import { functionsOf, type PlainChoice, type PlainRequest } from '../plain-request.ts';
import { wireTier } from '../wire-scales.ts';
import { conversationOf } from './contents.ts';
import type { Signed } from './signatures.ts';

/** The API refuses more stop sequences. */
const stopsMax = 5;

/** Returns the body of `generateContent`. Omits each field that the client omitted. */
export function geminiBody(endpoint: Endpoint, request: PlainRequest): unknown {
  const { system, contents } = conversationOf(request.items, {
    signed: signedBy(endpoint),
  });
  const functions = functionsOf(request).map(({ name, description, parameters }) => {
    return { name, description, parametersJsonSchema: parameters };
  });
  return {
    contents,
    ...(system.length > 0 && { systemInstruction: { parts: system } }),
    ...(functions.length > 0 && {
      tools: [{ functionDeclarations: functions }],
      toolConfig: { functionCallingConfig: callingConfig(request.toolChoice, functions) },
    }),
    generationConfig: generationConfig(request),
    serviceTier: wireTier(request.options?.serviceTier),
  };
}

/** Gemini 3 and later refuse a replayed call without a signature, those that draw also an answer and its pictures. */
function signedBy({ upstreamModel }: Endpoint): Signed {
  if (!/gemini-(?:[3-9]|\d\d)/.test(upstreamModel)) return 'nothing';
  return upstreamModel.includes('image') ? 'all' : 'calls';
}

/** Returns the name of the model without the folder that all models are in. */
export function modelName({ upstreamModel }: Endpoint): string {
  return upstreamModel.replace(/^models\//, '');
}

/** Streams use a different method of the API. */
export function geminiPath(endpoint: Endpoint, { stream }: InferenceRequest): string {
  const model = encodeURIComponent(modelName(endpoint));
  return `/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`;
}

function generationConfig(request: InferenceRequest): object {
  const { options = {} } = request;
  const { topLogprobs, format, modalities } = options;
  return {
    maxOutputTokens: request.maxOutputTokens,
    temperature: request.temperature,
    topP: request.topP,
    topK: options.topK,
    frequencyPenalty: options.frequencyPenalty,
    presencePenalty: options.presencePenalty,
    seed: options.seed,
    stopSequences: options.stop?.slice(0, stopsMax),
    ...(topLogprobs !== undefined && { responseLogprobs: true, logprobs: topLogprobs }),
    ...(format && { responseMimeType: 'application/json' }),
    ...(format?.type === 'json-schema' && { responseJsonSchema: format.schema }),
    ...(modalities?.includes('image') && {
      responseModalities: modalities.map((modality) => modality.toUpperCase()),
      ...(options.imageConfig && { imageConfig: options.imageConfig }),
    }),
    ...thinkingConfig(options, request.maxOutputTokens),
  };
}

/** The limit that Gemini uses when the request names none. */
const outputTokensUnnamed = 8_192;
const budgetMin = 1_024;
const budgetMax = 24_576;

/** Thinking counts as output, so the budget must leave room for an answer. */
function thinkingConfig({ reasoning }: ModelOptions, outputTokensMax = outputTokensUnnamed) {
  if (!reasoning) return {};
  const { effort, tokensMax, isEnabled } = reasoning;
  const isOff = isEnabled === false || effort === 'none' || tokensMax === 0;
  if (isOff) return { thinkingConfig: { thinkingBudget: 0 } };
  const wanted = tokensMax ?? Math.floor(effortShares[effort ?? 'medium'] * outputTokensMax);
  const least = Math.min(budgetMin, Math.floor(outputTokensMax / 2));
  const most = Math.min(budgetMax, outputTokensMax - 1);
  const thinkingBudget = Math.min(Math.max(wanted, least), most);
  return { thinkingConfig: { thinkingBudget, includeThoughts: true } };
}

function callingConfig(
  choice: PlainChoice,
  functions: readonly { readonly name: string }[],
): object {
  switch (choice.type) {
    case 'auto':
    case 'native':
      return { mode: 'AUTO' };
    case 'none':
      return { mode: 'NONE' };
    case 'required':
      return { mode: 'ANY' };
    case 'function':
      return { mode: 'ANY', allowedFunctionNames: [choice.name] };
    case 'allowed': {
      const known = functions.map(({ name }) => name);
      const named = choice.tools.map(({ name }) => name);
      const allowedFunctionNames = named.filter((name) => known.includes(name));
      return choice.mode === 'required'
        ? { mode: 'ANY', allowedFunctionNames }
        : { mode: 'VALIDATED', allowedFunctionNames };
    }
  }
}
