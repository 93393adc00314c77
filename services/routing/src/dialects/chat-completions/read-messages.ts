import {
  type ChatAssistantBody,
  type ChatBody,
  type ChatMessageBody,
  isObject,
  type JsonObject,
} from '@sluice/client-schemas';
import type { InputItem } from '@sluice/inference';
import { servedItem } from '../../request/served-item.ts';
import { readContent } from './read-content.ts';
import { readThoughts } from './read-thoughts.ts';
import { inPlaces } from './thought-places.ts';

/** Returns the messages as canonical items, in the order in which the model reads them. */
export function readMessages({ messages }: ChatBody): readonly InputItem[] {
  return messages.flatMap(readMessage);
}

function readMessage(message: ChatMessageBody, index: number): readonly InputItem[] {
  switch (message.role) {
    case 'system':
    case 'developer':
    case 'user': {
      const { role, content } = message;
      return [{ type: 'message', role, content: readContent(content) }];
    }
    case 'assistant':
      return [
        ...readServed(message),
        ...inPlaces(
          readThoughts(message, `rs_${String(index)}`),
          readProse(message),
          readCalls(message, index),
        ),
      ];
    case 'tool': {
      const { tool_call_id: callId, content } = message;
      const output = typeof content === 'string' ? content : readContent(content);
      return [{ type: 'function-call-output', callId, output }];
    }
    case 'function': {
      const callId = legacyCallId(index - 1);
      return [{ type: 'function-call-output', callId, output: message.content ?? '' }];
    }
  }
}

/** Returns the calls that the service ran for the message. The model read their results before it wrote the rest. */
function readServed({ reasoning_details: details }: ChatAssistantBody): readonly InputItem[] {
  return (details ?? []).flatMap((detail) => {
    if (detail.type !== 'reasoning.server_tool_call') return [];
    const { tool_name: type, arguments: text, result, tool_call_id: callId } = detail;
    const args = objectOf(text ?? '{}');
    if (!type?.startsWith('service:') || !args || !callId) return [];
    return [servedItem({ type, callId, arguments: args, output: result ?? '' })];
  });
}

function objectOf(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function readProse({ content, refusal, images }: ChatAssistantBody): readonly InputItem[] {
  const told = [
    ...readContent(content),
    ...readContent(refusal),
    ...readContent(images ?? []),
  ].filter((part) => part.type !== 'text' || part.text !== '');
  return told.length === 0 ? [] : [{ type: 'message', role: 'assistant', content: told }];
}

function readCalls(message: ChatAssistantBody, index: number): readonly InputItem[] {
  const { tool_calls: calls, function_call: called } = message;
  const items = (calls ?? []).map((call): InputItem => {
    if ('custom' in call) return { type: 'custom-tool-call', callId: call.id, ...call.custom };
    return { type: 'function-call', callId: call.id, ...call.function };
  });
  if (!called) return items;
  return [...items, { type: 'function-call', callId: legacyCallId(index), ...called }];
}

/** The answer to a `function_call` names none: it is the answer to the message before it. */
function legacyCallId(index: number): string {
  return `call_${String(index)}`;
}

/** Returns the answers of a custom tool as such. Messages do not say which kind of tool they answer. */
export function withKinds(items: readonly InputItem[]): readonly InputItem[] {
  const custom = new Set(
    items.flatMap((item) => (item.type === 'custom-tool-call' ? [item.callId] : [])),
  );
  if (custom.size === 0) return items;
  return items.map((item) =>
    item.type === 'function-call-output' && custom.has(item.callId)
      ? { ...item, type: 'custom-tool-call-output' }
      : item,
  );
}
