import type { FunctionTool, InferenceRequest, InputItem, ToolChoice } from '@sluice/inference';
import { openAiChat, type ChatOptions, type Endpoint } from '../endpoint.ts';

type ChatContent = string | readonly { readonly type: 'text'; readonly text: string }[];

interface ChatToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

type ChatMessage =
  | { readonly role: 'system' | 'developer' | 'user'; readonly content: ChatContent }
  | {
      readonly role: 'assistant';
      readonly content: ChatContent | null;
      readonly tool_calls?: readonly ChatToolCall[];
    }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string };

/** The body of `POST /chat/completions`. A field that the client left out is left out. */
export function chatBody(endpoint: Endpoint, request: InferenceRequest): unknown {
  const options = endpoint.chat ?? openAiChat;
  return {
    model: endpoint.upstreamModel,
    messages: chatMessages(request.items, options),
    [options.outputLimitField]: request.maxOutputTokens,
    temperature: request.temperature,
    top_p: request.topP,
    ...(request.tools.length > 0 && {
      tools: request.tools.map(chatTool),
      tool_choice: chatToolChoice(request.toolChoice),
      parallel_tool_calls: request.parallelToolCalls,
    }),
    ...(endpoint.keepsAnswers && { store: true }),
    ...(request.stream && { stream: true, stream_options: { include_usage: true } }),
  };
}

function chatMessages(items: readonly InputItem[], options: ChatOptions): readonly ChatMessage[] {
  const messages: ChatMessage[] = [];
  for (const item of items) {
    const last = messages.at(-1);
    if (item.type === 'function-call' && last?.role === 'assistant') {
      messages[messages.length - 1] = withToolCall(last, item);
    } else {
      messages.push(chatMessage(item, options));
    }
  }
  return messages;
}

function chatMessage(item: InputItem, options: ChatOptions): ChatMessage {
  switch (item.type) {
    case 'message':
      return {
        role: item.role === 'developer' ? options.developerRole : item.role,
        content: chatContent(item.content),
      };
    case 'function-call':
      return withToolCall({ role: 'assistant', content: null }, item);
    case 'function-call-output':
      return { role: 'tool', tool_call_id: item.callId, content: item.output };
  }
}

/** Chat holds what the assistant said and the calls it made in one message. */
function withToolCall(
  message: Extract<ChatMessage, { role: 'assistant' }>,
  call: Extract<InputItem, { type: 'function-call' }>,
): ChatMessage {
  const toolCall: ChatToolCall = {
    id: call.callId,
    type: 'function',
    function: { name: call.name, arguments: call.arguments },
  };
  return { ...message, tool_calls: [...(message.tool_calls ?? []), toolCall] };
}

/** A single text is sent as a string: every server understands that. */
function chatContent(content: readonly { readonly text: string }[]): ChatContent {
  const [only, ...others] = content;
  if (!only) return '';
  return others.length === 0 ? only.text : content.map(({ text }) => ({ type: 'text', text }));
}

function chatTool(tool: FunctionTool): unknown {
  return {
    type: 'function',
    function: {
      name: tool.name,
      description: tool.description,
      parameters: tool.parameters,
      strict: tool.strict,
    },
  };
}

function chatToolChoice(choice: ToolChoice): unknown {
  if (choice.type === 'function') return { type: 'function', function: { name: choice.name } };
  return choice.type === 'auto' ? undefined : choice.type;
}
