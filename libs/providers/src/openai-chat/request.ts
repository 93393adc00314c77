import type {
  InferenceRequest,
  ModelOptions,
  StructuredFormat,
  Tool,
  ToolChoice,
} from '@sluice/inference';
import { customToolParameters } from '../custom-tools.ts';
import { openAiChat, type Endpoint } from '../endpoint.ts';
import { effortOf } from '../reasoning-effort.ts';
import { wireTier, wireVerbosity } from '../openai-responses/options.ts';
import { chatMessages } from './messages.ts';

/** The body of `POST /chat/completions`. A field that the client left out is left out. */
export function chatBody(endpoint: Endpoint, request: InferenceRequest): unknown {
  const options = endpoint.chat ?? openAiChat;
  const tools = request.tools.flatMap(chatTool);
  return {
    model: endpoint.upstreamModel,
    messages: chatMessages(request.items, options),
    [options.outputLimitField]: request.maxOutputTokens,
    temperature: request.temperature,
    top_p: request.topP,
    ...chatOptions(request.options ?? {}, request.maxOutputTokens, endpoint),
    ...(tools.length > 0 && {
      tools: chosenTools(tools, request.toolChoice),
      tool_choice: chatToolChoice(request.toolChoice),
      parallel_tool_calls: request.parallelToolCalls,
    }),
    ...(endpoint.keepsAnswers && { store: true }),
    ...(request.stream && { stream: true }),
    ...(request.stream &&
      !options.tellsUsageUnasked && { stream_options: { include_usage: true } }),
  };
}

function chatOptions(
  options: ModelOptions,
  outputTokensMax: number | undefined,
  endpoint: Endpoint,
): object {
  const { topLogprobs, format, modalities, reasoning } = options;
  return {
    top_k: options.topK,
    frequency_penalty: options.frequencyPenalty,
    presence_penalty: options.presencePenalty,
    ...(topLogprobs !== undefined && { logprobs: true, top_logprobs: topLogprobs }),
    ...(format && { response_format: chatFormat(format) }),
    verbosity: wireVerbosity(options.verbosity),
    reasoning_effort: effortOf(reasoning, { outputTokensMax, known: endpoint.efforts }),
    ...(modalities?.includes('image') && { modalities, image_config: options.imageConfig }),
    prompt_cache_key: options.promptCacheKey,
    // Servers that do not know it refuse it: only what the client wants to be there is sent.
    safety_identifier: options.endUser,
    service_tier: wireTier(options.serviceTier),
  };
}

function chatFormat(format: StructuredFormat): object {
  if (format.type === 'json-object') return { type: 'json_object' };
  const { name, description, schema, strict } = format;
  return { type: 'json_schema', json_schema: { name, description, schema, strict } };
}

interface ChatTool {
  readonly type: 'function';
  readonly function: { readonly name: string } & Readonly<Record<string, unknown>>;
}

/** A custom tool is a function that takes one text; a tool of another server's own is none. */
function chatTool(tool: Tool): readonly ChatTool[] {
  switch (tool.type) {
    case 'native':
      return [];
    case 'custom': {
      const { name, description } = tool;
      const parameters = customToolParameters;
      return [{ type: 'function', function: { name, description, parameters } }];
    }
    case 'function': {
      const { name, description, parameters, strict } = tool;
      return [{ type: 'function', function: { name, description, parameters, strict } }];
    }
  }
}

/** Chat knows no list of allowed tools: the others are not offered. */
function chosenTools(tools: readonly ChatTool[], choice: ToolChoice): readonly ChatTool[] {
  if (choice.type !== 'allowed') return tools;
  return tools.filter((tool) => choice.names.includes(tool.function.name));
}

function chatToolChoice(choice: ToolChoice): unknown {
  switch (choice.type) {
    case 'function':
    case 'custom':
      return { type: 'function', function: { name: choice.name } };
    case 'allowed':
      return choice.mode === 'auto' ? undefined : choice.mode;
    case 'auto':
    case 'native':
      // `canSay` keeps requests with native tools away.
      return undefined;
    case 'none':
    case 'required':
      return choice.type;
  }
}
