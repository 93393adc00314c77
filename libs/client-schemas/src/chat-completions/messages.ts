import { type Static, Type } from 'typebox';
import { anything, integer, listOf, optional, text, word } from '../fields.ts';
import { limits } from '../service-fields/limits.ts';
import { assistantContent, imageOutput, textContent, toolContent, userContent } from './content.ts';

const name = optional(text({ max: limits.identifierCharactersMax }));
const callId = text({ min: 1, max: limits.identifierCharactersMax });

const functionCalled = Type.Object({ name: word, arguments: text() });
const toolCall = Type.Union(
  [
    Type.Object({ id: callId, type: optional(Type.Literal('function')), function: functionCalled }),
    Type.Object({
      id: callId,
      type: Type.Literal('custom'),
      custom: Type.Object({ name: word, input: text() }),
    }),
  ],
  { mustBe: 'a tool call' },
);

const detailFields = {
  id: optional(text({ max: limits.identifierCharactersMax })),
  index: optional(integer(0)),
  format: optional(text({ max: limits.identifierCharactersMax })),
};
const reasoningDetail = Type.Union(
  [
    Type.Object({
      type: Type.Literal('reasoning.text'),
      text: optional(text()),
      signature: optional(text()),
      ...detailFields,
    }),
    Type.Object({ type: Type.Literal('reasoning.summary'), summary: text(), ...detailFields }),
    Type.Object({ type: Type.Literal('reasoning.encrypted'), data: text(), ...detailFields }),
    Type.Object({ type: Type.Literal('reasoning.server_tool_call'), ...detailFields }),
  ],
  { mustBe: 'a reasoning detail' },
);

const detailsMax = 10_000;

const assistant = Type.Object({
  role: Type.Literal('assistant'),
  content: optional(assistantContent),
  name,
  tool_calls: optional(listOf(toolCall)),
  /** The form of one call before there were tools. */
  function_call: optional(functionCalled),
  reasoning: optional(text()),
  /** The name of others for `reasoning`. */
  reasoning_content: optional(text()),
  reasoning_details: optional(listOf(reasoningDetail, { max: detailsMax })),
  refusal: optional(text()),
  images: optional(listOf(imageOutput)),
  audio: optional(anything),
  model: optional(text()),
});

const message = Type.Union(
  [
    Type.Object({ role: Type.Literal('system'), content: textContent, name }),
    Type.Object({ role: Type.Literal('developer'), content: textContent, name }),
    Type.Object({ role: Type.Literal('user'), content: userContent, name }),
    assistant,
    Type.Object({ role: Type.Literal('tool'), tool_call_id: callId, content: toolContent, name }),
    /** The answer to `function_call`. */
    Type.Object({ role: Type.Literal('function'), name: word, content: optional(text()) }),
  ],
  { mustBe: 'a message' },
);

export const messages = listOf(message, { min: 1, max: limits.inputItemsMax });
export type ChatMessageBody = Static<typeof message>;
export type ChatAssistantBody = Static<typeof assistant>;
export type ReasoningDetailBody = Static<typeof reasoningDetail>;
