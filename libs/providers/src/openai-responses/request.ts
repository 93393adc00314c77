import type {
  InferenceRequest,
  InputItem,
  ReasoningItem,
  Tool,
  ToolChoice,
} from '@sluice/inference';
import { withAnsweredCalls } from '../answered-calls.ts';
import type { Endpoint } from '../endpoint.ts';
import { wireContent } from './content.ts';
import { wireOptions } from './options.ts';

/** Only thoughts that this dialect wrote can be given back to it. */
export const responsesReasoningFormat = 'openai-responses-v1';

/** The body of `POST /responses`. A field that the client left out is left out. */
export function responsesBody(endpoint: Endpoint, request: InferenceRequest): unknown {
  return {
    model: endpoint.upstreamModel,
    input: withAnsweredCalls(request.items).flatMap(wireItem),
    max_output_tokens: request.maxOutputTokens,
    temperature: request.temperature,
    top_p: request.topP,
    ...wireOptions(request.options ?? {}, {
      outputTokensMax: request.maxOutputTokens,
      efforts: endpoint.efforts,
    }),
    ...(request.tools.length > 0 && {
      tools: request.tools.map(wireTool),
      tool_choice: wireToolChoice(request.toolChoice),
      parallel_tool_calls: request.parallelToolCalls,
    }),
    store: endpoint.keepsAnswers === true,
    ...(request.stream && { stream: true }),
  };
}

/** An item, or none: thoughts of another dialect cannot be told. */
function wireItem(item: InputItem): readonly unknown[] {
  switch (item.type) {
    case 'message': {
      const { role, content, phase } = item;
      const textType = role === 'assistant' ? 'output_text' : 'input_text';
      return [{ type: 'message', role, content: wireContent(content, textType), phase }];
    }
    case 'function-call': {
      const { callId, name, arguments: text } = item;
      return [{ type: 'function_call', call_id: callId, name, arguments: text }];
    }
    case 'custom-tool-call': {
      const { callId, name, input } = item;
      return [{ type: 'custom_tool_call', call_id: callId, name, input }];
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

function wireReasoning({ id, summary, encrypted, format }: ReasoningItem): readonly unknown[] {
  if (encrypted === undefined || format !== responsesReasoningFormat) return [];
  const summaries = summary.map((text) => ({ type: 'summary_text', text }));
  return [{ type: 'reasoning', id, summary: summaries, encrypted_content: encrypted }];
}

function wireTool(tool: Tool): unknown {
  switch (tool.type) {
    case 'native':
      return tool.tool;
    case 'custom': {
      const { name, description, format } = tool;
      return { type: 'custom', name, description, format };
    }
    case 'function': {
      const { name, description, parameters, strict } = tool;
      return { type: 'function', name, description, parameters, strict };
    }
  }
}

function wireToolChoice(choice: ToolChoice): unknown {
  switch (choice.type) {
    case 'function':
    case 'custom':
      return { type: choice.type, name: choice.name };
    case 'allowed':
      return {
        type: 'allowed_tools',
        mode: choice.mode,
        tools: choice.names.map((name) => ({ type: 'function', name })),
      };
    case 'auto':
      return undefined;
    case 'none':
    case 'required':
      return choice.type;
  }
}
