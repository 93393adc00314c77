import type { ModelOptions } from '@sluice/inference';
import { outputTokensUnnamed } from '../abilities.ts';
import type { Endpoint } from '../endpoint.ts';
import {
  offeredFunctions,
  type PlainChoice,
  type PlainRequest,
  type PlainTool,
} from '../plain-request.ts';
import { withCaching } from './caching.ts';
import { claudeAbilities } from './claude-version.ts';
import { textBlock, withCache } from './content.ts';
import { answerSchema } from './schema.ts';
import { conversationOf } from './messages.ts';
import { strictTools } from './strict-tools.ts';
import { effortOfVerbosity, thinkingOf, type WireEffort } from './thinking.ts';

/** Returns the body of `POST /messages`. Omits each field that the client omitted. */
export function messagesBody(endpoint: Endpoint, asked: PlainRequest): unknown {
  const request = { ...asked, toolChoice: namedChoice(asked.toolChoice) };
  const { options = {}, maxOutputTokens: maxTokens = outputTokensUnnamed } = request;
  // The other hosts of these models refuse system turns.
  const takesSystemTurns =
    endpoint.provider === 'anthropic' && claudeAbilities(endpoint.upstreamModel).takesSystemTurns;
  const { system, messages, tools } = withCaching(
    { ...conversationOf(request.items, { takesSystemTurns }), tools: offered(endpoint, request) },
    options,
  );
  const thinking = thinkingOf(endpoint, request, { messages, maxTokens });
  const instructed = [...system, ...formatInstruction(options)];
  const endUser = options.endUser ?? options.accountUser;
  return {
    model: endpoint.upstreamModel,
    max_tokens: maxTokens,
    ...(instructed.length > 0 && { system: instructed }),
    messages,
    // The API refuses sampling options together with thinking.
    ...(!thinking && claudeAbilities(endpoint.upstreamModel).takesSampling && sampling(request)),
    ...(options.stop && { stop_sequences: options.stop }),
    ...(thinking && { thinking: thinking.config }),
    ...outputConfig(options, thinking?.effort ?? effortOfVerbosity(endpoint, options)),
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

/** Returns the sampling options. Newer models refuse `temperature` together with `top_p`. */
function sampling({ temperature, topP, options }: PlainRequest): object {
  return {
    temperature: clampedTemperature(temperature),
    top_p: temperature === undefined ? topP : undefined,
    top_k: options?.topK,
  };
}

/** Clamps the temperature to 1, the maximum of the API. */
function clampedTemperature(temperature: number | undefined): number | undefined {
  return temperature === undefined ? undefined : Math.min(temperature, 1);
}

export const jsonInstruction = 'Answer with one JSON object and nothing else.';

/** Asks the model for JSON in words, because the API has no JSON format without a schema. */
function formatInstruction({ format }: ModelOptions) {
  if (format?.type !== 'json-object') return [];
  return textBlock(jsonInstruction);
}

/** Returns the tools in their order. Selection leaves out the native tools that the endpoint lacks. */
function offered({ upstreamModel }: Endpoint, request: PlainRequest): readonly object[] {
  const functions = offeredFunctions(request);
  const strict = strictTools(upstreamModel, functions);
  const allowed: ReadonlySet<unknown> = new Set(functions);
  return request.tools
    .filter((each) => each.type === 'native' || allowed.has(each))
    .map((each) => {
      const tool = each.type === 'native' ? each.tool : wireTool(each, strict.has(each));
      return each.cache ? withCache(tool, each.cache.ttl) : tool;
    });
}

function wireTool(tool: PlainTool, isStrict: boolean): object {
  const { name, description, parameters, inputExamples, streamsEagerly } = tool;
  return {
    name,
    description,
    input_schema: { type: 'object', ...parameters },
    ...(isStrict && { strict: true }),
    ...(inputExamples && { input_examples: inputExamples }),
    ...(streamsEagerly !== undefined && { eager_input_streaming: streamsEagerly }),
  };
}

function wireToolChoice({ toolChoice, parallelToolCalls }: PlainRequest): object {
  const serial = parallelToolCalls === false && { disable_parallel_tool_use: true };
  const type = choiceType(toolChoice);
  if (type === 'none') return { type };
  if (toolChoice.type === 'function') return { type: 'tool', name: toolChoice.name, ...serial };
  return { type, ...serial };
}

/** Returns the choice of a tool that the API defines as that of its name: models call all tools in the same way. */
function namedChoice(choice: PlainChoice): PlainChoice {
  if (choice.type !== 'native') return choice;
  return { type: 'function', name: String(choice.tool['name']) };
}

function choiceType(choice: PlainChoice): 'auto' | 'any' | 'none' {
  switch (choice.type) {
    case 'allowed':
      return choice.mode === 'required' ? 'any' : 'auto';
    case 'none':
      return 'none';
    case 'required':
      return 'any';
    case 'auto':
    case 'function':
    case 'native':
      return 'auto';
  }
}
