import type {
  InferenceRequest,
  InputItem,
  ReasoningItem,
  StoredPrompt,
  Tool,
} from '@sluice/inference';
import type { Endpoint } from '../endpoint.ts';
import { nativeCallsMaxOf } from '../native-calls.ts';
import { wireContent, wirePart } from './content.ts';
import { wireOptions } from './options.ts';
import { wireToolChoice, wireTools } from './tools.ts';

/** Marks thoughts of this dialect. Only they can be replayed to it. */
export const responsesReasoningFormat = 'openai-responses-v1';

/** Returns the body of `POST /responses`. Omits each field that the client omitted. */
export function responsesBody(endpoint: Endpoint, request: InferenceRequest): unknown {
  return {
    model: endpoint.upstreamModel,
    ...wirePrompt(request.prompt),
    // A stored prompt may be the whole input.
    ...((request.items.length > 0 || !request.prompt) && {
      input: request.items.flatMap(wireItem),
    }),
    max_output_tokens: request.maxOutputTokens,
    temperature: request.temperature,
    top_p: request.topP,
    max_tool_calls: nativeCallsMaxOf(request),
    ...wireOptions(request.options ?? {}, {
      outputTokensMax: request.maxOutputTokens,
      efforts: endpoint.efforts,
      searches: request.tools.some(isSearch),
    }),
    ...(request.tools.length > 0 && {
      tools: wireTools(request.tools),
      tool_choice: wireToolChoice(request.toolChoice, request.tools),
      parallel_tool_calls: request.parallelToolCalls,
    }),
    store: endpoint.keepsAnswers === true,
    ...(request.stream && { stream: true }),
  };
}

function isSearch(tool: Tool): boolean {
  return tool.type === 'native' && tool.tool['type'] === 'web_search';
}

function wirePrompt(prompt: StoredPrompt | undefined): object {
  if (!prompt) return {};
  const { id, version, variables } = prompt;
  const values = Object.entries(variables).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : wirePart(value, 'input_text'),
  ]);
  return {
    prompt: { id, version, ...(values.length > 0 && { variables: Object.fromEntries(values) }) },
  };
}

/** Returns the wire items of an item. Thoughts without their encrypted form are omitted. */
function wireItem(item: InputItem): readonly unknown[] {
  switch (item.type) {
    case 'message': {
      const { role, content, phase } = item;
      const textType = role === 'assistant' ? 'output_text' : 'input_text';
      return [{ type: 'message', role, content: wireContent(content, textType), phase }];
    }
    case 'function-call': {
      const { callId, name, arguments: text, namespace } = item;
      return [{ type: 'function_call', call_id: callId, name, namespace, arguments: text }];
    }
    case 'custom-tool-call': {
      const { callId, name, input, namespace } = item;
      return [{ type: 'custom_tool_call', call_id: callId, name, namespace, input }];
    }
    case 'function-call-output':
      return [{ type: 'function_call_output', call_id: item.callId, output: wireOutput(item) }];
    case 'custom-tool-call-output':
      return [{ type: 'custom_tool_call_output', call_id: item.callId, output: wireOutput(item) }];
    case 'reasoning':
      return wireReasoning(item);
    case 'native':
      return [item.item];
  }
}

function wireOutput({ output }: Extract<InputItem, { output: unknown }>): unknown {
  return typeof output === 'string' ? output : wireContent(output, 'input_text');
}

function wireReasoning({ id, summary, encrypted }: ReasoningItem): readonly unknown[] {
  if (encrypted === undefined) return [];
  const summaries = summary.map((text) => ({ type: 'summary_text', text }));
  return [{ type: 'reasoning', id, summary: summaries, encrypted_content: encrypted }];
}
