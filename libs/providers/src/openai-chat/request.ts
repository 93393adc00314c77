import type { InferenceRequest, StructuredFormat, Tool, ToolChoice } from '@sluice/inference';
import { customToolParameters } from '../custom-tools.ts';
import { openAiChat, type Endpoint } from '../endpoint.ts';
import { effortOf } from '../reasoning-effort.ts';
import { wireTier, wireVerbosity } from '../openai-responses/options.ts';
import { chatMessages } from './messages.ts';

/** The body of `POST /chat/completions`. A field that the client left out is undefined: it is not sent. */
export function chatBody(endpoint: Endpoint, request: InferenceRequest): unknown {
  const options = endpoint.chat ?? openAiChat;
  const { maxOutputTokens, stream, options: asked = {} } = request;
  const tools = request.tools.length > 0 ? request.tools.flatMap(chatTool) : [];
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
    // Servers that do not know it refuse it: only what the client wants to be there is sent.
    safety_identifier: asked.endUser,
    service_tier: wireTier(asked.serviceTier),
    tools: hasTools ? chosenTools(tools, request.toolChoice) : undefined,
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
      // `canRun` keeps requests with native tools away.
      return undefined;
    case 'none':
    case 'required':
      return choice.type;
  }
}
