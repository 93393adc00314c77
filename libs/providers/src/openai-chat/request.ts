import type { StructuredFormat } from '@sluice/inference';
import { openAiChat, type Endpoint } from '../endpoint.ts';
import {
  offeredFunctions,
  type PlainChoice,
  type PlainRequest,
  type PlainTool,
} from '../plain-request.ts';
import { effortOf } from '../reasoning-effort.ts';
import { wireTier, wireVerbosity } from '../wire-scales.ts';
import { chatMessages } from './messages.ts';

/** The API refuses more stop sequences. */
const stopsMax = 4;

/** Returns the body of `POST /chat/completions`. A field that the client omitted is undefined, so it is not sent. */
export function chatBody(endpoint: Endpoint, request: PlainRequest): unknown {
  const options = endpoint.chat ?? openAiChat;
  const { maxOutputTokens, stream, options: asked = {} } = request;
  const tools = offeredFunctions(request);
  const hasTools = tools.length > 0;
  const drawsImages = asked.modalities?.includes('image') === true;
  return {
    model: endpoint.upstreamModel,
    messages: chatMessages(request.items, options),
    [options.outputLimitField]: maxOutputTokens,
    temperature: request.temperature,
    top_p: request.topP,
    top_k: asked.topK,
    frequency_penalty: asked.frequencyPenalty,
    presence_penalty: asked.presencePenalty,
    repetition_penalty: asked.repetitionPenalty,
    min_p: asked.minP,
    top_a: asked.topA,
    logit_bias: asked.logitBias,
    seed: asked.seed,
    stop: asked.stop?.slice(0, stopsMax),
    prediction: asked.prediction,
    logprobs: asked.topLogprobs === undefined ? undefined : true,
    top_logprobs: asked.topLogprobs,
    response_format: asked.format && chatFormat(asked.format),
    verbosity: wireVerbosity(asked.verbosity),
    reasoning_effort:
      asked.reasoning &&
      effortOf(asked.reasoning, { outputTokensMax: maxOutputTokens, known: endpoint.efforts }),
    modalities: drawsImages ? asked.modalities : undefined,
    image_config: drawsImages ? asked.imageConfig : undefined,
    prompt_cache_key: asked.promptCacheKey,
    // Servers that do not know this field refuse it, so it is sent only if the client names an end user.
    safety_identifier: asked.endUser,
    service_tier: wireTier(asked.serviceTier),
    tools: hasTools ? tools.map(chatTool) : undefined,
    tool_choice: hasTools ? chatToolChoice(request.toolChoice) : undefined,
    parallel_tool_calls: hasTools ? request.parallelToolCalls : undefined,
    store: endpoint.keepsAnswers ? true : undefined,
    stream: stream ? true : undefined,
    stream_options: stream && !options.tellsUsageUnasked ? { include_usage: true } : undefined,
  };
}

function chatFormat(format: StructuredFormat): object {
  if (format.type === 'json-object') return { type: 'json_object' };
  const { name, description, schema, strict } = format;
  return { type: 'json_schema', json_schema: { name, description, schema, strict } };
}

function chatTool({ name, description, parameters, strict }: PlainTool): object {
  return { type: 'function', function: { name, description, parameters, strict } };
}

function chatToolChoice(choice: PlainChoice): unknown {
  switch (choice.type) {
    case 'function':
      return { type: 'function', function: { name: choice.name } };
    case 'allowed':
      return choice.mode === 'auto' ? undefined : choice.mode;
    case 'auto':
    case 'native':
      // `canRun` excludes requests with native tools.
      return undefined;
    case 'none':
    case 'required':
      return choice.type;
  }
}
