import type { InferenceRequest, ModelOptions, Tool, ToolChoice } from '@sluice/inference';
import { customToolParameters } from '../custom-tools.ts';
import type { Endpoint } from '../endpoint.ts';
import { wireTier } from '../openai-responses/options.ts';
import { effortShares } from '../reasoning-effort.ts';
import { conversationOf } from './contents.ts';

/** The body of `generateContent`. A field that the client left out is left out. */
export function geminiBody(endpoint: Endpoint, request: InferenceRequest): unknown {
  const { system, contents } = conversationOf(request.items, {
    needsSignatures: needsSignatures(endpoint),
  });
  const functions = request.tools.flatMap(functionOf);
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

/** From the third generation on a call that comes back without the signature of its thought is refused. */
function needsSignatures({ upstreamModel }: Endpoint): boolean {
  return /gemini-(?:[3-9]|\d\d)/.test(upstreamModel);
}

/** Streams are another method there. */
export function geminiPath({ upstreamModel }: Endpoint, { stream }: InferenceRequest): string {
  const model = encodeURIComponent(upstreamModel.replace(/^models\//, ''));
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

/** Gemini's own limit where none is sent. */
const outputTokensUnnamed = 8_192;
const budgetMin = 1_024;
const budgetMax = 24_576;

/** The budget is part of the output: there is always room left for an answer. */
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

interface FunctionDeclaration {
  readonly name: string;
  readonly description: string | undefined;
  readonly parametersJsonSchema: object | undefined;
}

function functionOf(tool: Tool): readonly FunctionDeclaration[] {
  switch (tool.type) {
    case 'function': {
      const { name, description, parameters } = tool;
      return [{ name, description, parametersJsonSchema: parameters }];
    }
    case 'custom': {
      const { name, description } = tool;
      return [{ name, description, parametersJsonSchema: customToolParameters }];
    }
    case 'native':
      return [];
  }
}

function callingConfig(choice: ToolChoice, functions: readonly FunctionDeclaration[]): object {
  switch (choice.type) {
    case 'auto':
    case 'native':
      return { mode: 'AUTO' };
    case 'none':
      return { mode: 'NONE' };
    case 'required':
      return { mode: 'ANY' };
    case 'function':
    case 'custom':
      return { mode: 'ANY', allowedFunctionNames: [choice.name] };
    case 'allowed': {
      const known = functions.map(({ name }) => name);
      const allowedFunctionNames = choice.names.filter((name) => known.includes(name));
      return choice.mode === 'required'
        ? { mode: 'ANY', allowedFunctionNames }
        : { mode: 'VALIDATED', allowedFunctionNames };
    }
  }
}
