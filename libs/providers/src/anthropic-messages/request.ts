import type { InferenceRequest, ModelOptions, Tool, ToolChoice } from '@sluice/inference';
import { outputTokensUnnamed } from '../abilities.ts';
import { customToolParameters } from '../custom-tools.ts';
import type { Endpoint } from '../endpoint.ts';
import { withCaching } from './caching.ts';
import { claudeAbilities } from './claude-version.ts';
import { textBlock } from './content.ts';
import { answerSchema } from './schema.ts';
import { conversationOf } from './messages.ts';
import { thinkingOf, type WireEffort } from './thinking.ts';

/** The body of `POST /messages`. A field that the client left out is left out. */
export function messagesBody(endpoint: Endpoint, request: InferenceRequest): unknown {
  const { options = {}, maxOutputTokens: maxTokens = outputTokensUnnamed } = request;
  const { system, messages } = withCaching(conversationOf(request.items), options);
  const thinking = thinkingOf(endpoint, request, { messages, maxTokens });
  const instructed = [...system, ...formatInstruction(options)];
  const tools = offered(request);
  const endUser = options.endUser ?? options.accountUser;
  return {
    model: endpoint.upstreamModel,
    max_tokens: maxTokens,
    ...(instructed.length > 0 && { system: instructed }),
    messages,
    // It samples on its own terms while it thinks.
    ...(!thinking && claudeAbilities(endpoint.upstreamModel).takesSampling && sampling(request)),
    ...(thinking && { thinking: thinking.config }),
    ...outputConfig(options, thinking?.effort),
    ...(tools.length > 0 && { tools, tool_choice: wireToolChoice(request) }),
    ...(endUser !== undefined && { metadata: { user_id: endUser } }),
    ...(request.stream && { stream: true }),
  };
}

function outputConfig({ format }: ModelOptions, effort: WireEffort | undefined): object {
  const isFormed = format?.type === 'json-schema';
  if (!isFormed && effort === undefined) return {};
  const formed = isFormed && {
    format: { type: 'json_schema', schema: answerSchema(format.schema) },
  };
  return { output_config: { ...formed, ...(effort !== undefined && { effort }) } };
}

/** Newer models refuse a temperature and a probability at once. */
function sampling({ temperature, topP, options }: InferenceRequest): object {
  return {
    temperature: clampedTemperature(temperature),
    top_p: temperature === undefined ? topP : undefined,
    top_k: options?.topK,
  };
}

/** Its scale ends at 1. */
function clampedTemperature(temperature: number | undefined): number | undefined {
  return temperature === undefined ? undefined : Math.min(temperature, 1);
}

export const jsonInstruction = 'Answer with one JSON object and nothing else.';

/** It knows no form without a schema: the model is asked for it. */
function formatInstruction({ format }: ModelOptions) {
  if (format?.type !== 'json-object') return [];
  return textBlock(jsonInstruction);
}

interface WireTool {
  readonly name: string;
  readonly description: string | undefined;
  readonly input_schema: object;
}

/** It knows no list of allowed tools: the others are not offered. */
function offered({ tools, toolChoice }: InferenceRequest): readonly WireTool[] {
  const all = tools.flatMap(wireTool);
  if (toolChoice.type !== 'allowed') return all;
  return all.filter(({ name }) => toolChoice.names.includes(name));
}

function wireTool(tool: Tool): readonly WireTool[] {
  switch (tool.type) {
    case 'function': {
      const { name, description, parameters } = tool;
      return [{ name, description, input_schema: { type: 'object', ...parameters } }];
    }
    case 'custom': {
      const { name, description } = tool;
      return [{ name, description, input_schema: customToolParameters }];
    }
    case 'native':
      return [];
  }
}

function wireToolChoice({ toolChoice, parallelToolCalls }: InferenceRequest): object {
  const serial = parallelToolCalls === false && { disable_parallel_tool_use: true };
  const type = choiceType(toolChoice);
  if (type === 'none') return { type };
  if (toolChoice.type === 'function' || toolChoice.type === 'custom')
    return { type: 'tool', name: toolChoice.name, ...serial };
  return { type, ...serial };
}

function choiceType(choice: ToolChoice): 'auto' | 'any' | 'none' {
  switch (choice.type) {
    case 'allowed':
      return choice.mode === 'required' ? 'any' : 'auto';
    case 'none':
      return 'none';
    case 'required':
      return 'any';
    case 'auto':
    case 'function':
    case 'custom':
    case 'native':
      return 'auto';
  }
}
