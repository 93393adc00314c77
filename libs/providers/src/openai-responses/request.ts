import type { FunctionTool, InferenceRequest, InputItem, ToolChoice } from '@sluice/inference';
import type { Endpoint } from '../endpoint.ts';

/** The body of `POST /responses`. A field that the client left out is left out. */
export function responsesBody(endpoint: Endpoint, request: InferenceRequest): unknown {
  return {
    model: endpoint.upstreamModel,
    input: request.items.map(wireItem),
    max_output_tokens: request.maxOutputTokens,
    temperature: request.temperature,
    top_p: request.topP,
    ...(request.tools.length > 0 && {
      tools: request.tools.map(wireTool),
      tool_choice: wireToolChoice(request.toolChoice),
      parallel_tool_calls: request.parallelToolCalls,
    }),
    store: endpoint.keepsAnswers === true,
    ...(request.stream && { stream: true }),
  };
}

function wireItem(item: InputItem): unknown {
  switch (item.type) {
    case 'message':
      return { type: 'message', role: item.role, content: wireContent(item) };
    case 'function-call':
      return {
        type: 'function_call',
        call_id: item.callId,
        name: item.name,
        arguments: item.arguments,
      };
    case 'function-call-output':
      return { type: 'function_call_output', call_id: item.callId, output: item.output };
  }
}

/** A single text is sent as a string: every server understands that, for every role. */
function wireContent(message: Extract<InputItem, { type: 'message' }>): unknown {
  const [only, ...others] = message.content;
  if (!only) return '';
  if (others.length === 0) return only.text;
  const type = message.role === 'assistant' ? 'output_text' : 'input_text';
  return message.content.map(({ text }) => ({ type, text }));
}

function wireTool(tool: FunctionTool): unknown {
  return {
    type: 'function',
    name: tool.name,
    description: tool.description,
    parameters: tool.parameters,
    strict: tool.strict,
  };
}

function wireToolChoice(choice: ToolChoice): unknown {
  if (choice.type === 'function') return { type: 'function', name: choice.name };
  return choice.type === 'auto' ? undefined : choice.type;
}
