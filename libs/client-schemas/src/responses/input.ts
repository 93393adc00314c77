import { type Static, Type } from 'typebox';
import { anyObject, field, flag, kind, kindOf, listOf, oneOf, optional, text } from '../fields.ts';
import { type Problem, problemsOf } from '../problems.ts';
import { inputContent, outputContent, toolOutput } from './content.ts';
import { kindWords, otherThan } from '../open-kind.ts';
import { answeringModel } from '../service-fields/answering-model.ts';
import { limits } from '../service-fields/limits.ts';
import { nativeItems, serviceItem } from './native-items.ts';
import { toolSearchItems } from './tool-search-items.ts';
import { toolList } from './tools.ts';

const id = text({ min: 1, max: limits.identifierCharactersMax });
const status = optional(
  oneOf('in_progress', 'completed', 'incomplete'),
  'The state of the item.',
  'completed',
);
const itemId = field(text(), 'Id of the item.', 'item_1');
const call_id = field(id, 'Id of the call. Its output has the same one.', 'call_1');
const role = <const Words extends string[]>(...words: Words) =>
  field(oneOf(...words), 'The author of the message.');
const contentText = ['A text, or a list of parts.', 'Say hello'] as const;

const messageFields = {
  type: optional(kind('message')),
  id: optional(itemId),
  status,
  phase: optional(oneOf('commentary', 'final_answer'), 'The phase of the message.', 'final_answer'),
};
const inputMessage = Type.Object({
  role: role('user', 'system', 'developer'),
  ...messageFields,
  content: optional(inputContent, ...contentText),
});
const outputMessage = Type.Object({
  role: role('assistant'),
  model: answeringModel,
  ...messageFields,
  content: optional(outputContent, ...contentText),
});

const callFields = {
  call_id,
  name: field(id, 'Name of the tool.', 'get_weather'),
};
const callState = {
  id: optional(itemId),
  status,
  async: optional(flag, 'Whether the call may be answered later than in the next turn.', false),
  namespace: optional(id, 'The namespace of the tool.', 'crm'),
};
const workerItemsMax = 2_000;
const functionCall = Type.Object({
  type: kind('function_call'),
  ...callFields,
  arguments: field(text(), 'The arguments of the call, as JSON text.', '{"city":"Berlin"}'),
  ...callState,
  subagent_id: optional(text(), 'The call of the subagent that made the call.', 'call_1'),
  subagent_items: optional(
    listOf(anyObject, { max: workerItemsMax }),
    'The conversation of the subagent. It is sent again as it came.',
    [],
  ),
});
const customToolCall = Type.Object({
  type: kind('custom_tool_call'),
  ...callFields,
  input: field(text(), 'The input of the call.', 'Say hello'),
  ...callState,
});
const callOutput = Type.Object({
  type: kindOf('function_call_output', 'custom_tool_call_output'),
  call_id,
  id: optional(itemId),
  status,
  output: field(toolOutput, 'The output of the call: a text, or a list of parts.', 'sunny'),
});

const thought = listOf(Type.Object({ text: field(text(), 'The text.', 'The user greets.') }));
const reasoning = Type.Object({
  type: kind('reasoning'),
  id: itemId,
  summary: optional(thought, 'A summary of the thoughts.'),
  content: optional(thought, 'The thoughts.'),
  encrypted_content: optional(text(), 'Content that only its writer can read.', 'thought.v1.e30'),
  signature: optional(text(), "The provider's signature of the thought.", 'c2lnbmVk'),
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
    'The format of the thought.',
  ),
  status,
});

const additionalTools = Type.Object({
  type: kind('additional_tools'),
  role: role(
    'unknown',
    'user',
    'assistant',
    'system',
    'critic',
    'discriminator',
    'developer',
    'tool',
  ),
  tools: field(toolList, 'Tools that the model may call.', []),
});
const itemReference = Type.Object({
  type: kind('item_reference'),
  id: itemId,
});

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
  ...toolSearchItems,
  ...nativeItems,
] as const;
const unknownItem = otherThan(kinds);
const knownWords = kindWords(kinds);

export const inputItem = Type.Union([...kinds, unknownItem], { mustBe: 'an input item' });
const problemsMax = 20;

/** Lists the problems of items that a schema takes as any objects. */
export function inputItemProblems(items: readonly unknown[], path: string): readonly Problem[] {
  return problemsOf(listOf(inputItem), items, { path, max: problemsMax });
}

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
