import { type Static, Type } from 'typebox';
import { flag, listOf, oneOf, optional, text } from '../fields.ts';
import { inputContent, outputContent, toolOutput } from './content.ts';
import { kindWords, otherThan } from '../open-kind.ts';
import { limits } from '../service-fields/limits.ts';
import { nativeItems, serviceItem } from './native-items.ts';
import { toolList } from './tools.ts';

const id = text({ min: 1, max: limits.identifierCharactersMax });
const status = optional(oneOf('in_progress', 'completed', 'incomplete'));

const messageFields = {
  type: optional(Type.Literal('message')),
  id: optional(text()),
  status,
  phase: optional(oneOf('commentary', 'final_answer')),
};
const inputMessage = Type.Object({
  role: oneOf('user', 'system', 'developer'),
  ...messageFields,
  content: optional(inputContent),
});
const outputMessage = Type.Object({
  role: oneOf('assistant'),
  ...messageFields,
  content: optional(outputContent),
});

const callFields = { call_id: id, name: id };
const callState = {
  id: optional(text()),
  status,
  async: optional(flag),
  namespace: optional(id),
};
const functionCall = Type.Object({
  type: Type.Literal('function_call'),
  ...callFields,
  arguments: text(),
  ...callState,
  subagent_id: optional(text()),
});
const customToolCall = Type.Object({
  type: Type.Literal('custom_tool_call'),
  ...callFields,
  input: text(),
  ...callState,
});
const callOutput = Type.Object({
  type: oneOf('function_call_output', 'custom_tool_call_output'),
  call_id: id,
  id: optional(text()),
  status,
  output: toolOutput,
});

const thought = listOf(Type.Object({ text: text() }));
const reasoning = Type.Object({
  type: Type.Literal('reasoning'),
  id: text(),
  summary: optional(thought),
  content: optional(thought),
  encrypted_content: optional(text()),
  signature: optional(text()),
  format: optional(
    oneOf(
      'unknown',
      'openai-responses-v1',
      'azure-openai-responses-v1',
      'bedrock-openai-responses-v1',
      'bedrock-xai-responses-v1',
      'xai-responses-v1',
      'meta-responses-v1',
      'anthropic-claude-v1',
      'google-gemini-v1',
    ),
  ),
  status,
});

const additionalTools = Type.Object({
  type: Type.Literal('additional_tools'),
  role: oneOf(
    'unknown',
    'user',
    'assistant',
    'system',
    'critic',
    'discriminator',
    'developer',
    'tool',
  ),
  tools: toolList,
});
const itemReference = Type.Object({ type: Type.Literal('item_reference'), id: text() });

const kinds = [
  inputMessage,
  outputMessage,
  functionCall,
  callOutput,
  reasoning,
  customToolCall,
  additionalTools,
  itemReference,
  serviceItem,
  ...nativeItems,
] as const;
const unknownItem = otherThan(kinds);
const knownWords = kindWords(kinds);

export const inputItem = Type.Union([...kinds, unknownItem], { mustBe: 'an input item' });
export type InputItemBody = Static<typeof inputItem>;
export type UnknownItemBody = Static<typeof unknownItem>;

/** Returns true for an item of a kind that the contract does not name. */
export function isUnknownItem(item: InputItemBody): item is UnknownItemBody {
  return typeof item.type === 'string' && !knownWords.has(item.type);
}

export type MessageBody = Static<typeof inputMessage> | Static<typeof outputMessage>;
export type CallBody = Static<typeof functionCall> | Static<typeof customToolCall>;
export type CallOutputBody = Static<typeof callOutput>;
export type ReasoningBody = Static<typeof reasoning>;

export const input = Type.Union([text(), listOf(inputItem, { max: limits.inputItemsMax })], {
  mustBe: 'a string or an array of input items',
});
