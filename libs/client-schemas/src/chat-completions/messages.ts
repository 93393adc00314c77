import { type Static, Type } from 'typebox';
import { anything, field, integer, kind, listOf, optional, text, word } from '../fields.ts';
import { answeringModel } from '../service-fields/answering-model.ts';
import { annotations } from '../service-fields/file-annotation.ts';
import { limits } from '../service-fields/limits.ts';
import { assistantContent, imageOutput, textContent, toolContent, userContent } from './content.ts';

const identifier = text({ max: limits.identifierCharactersMax });
const name = optional(identifier, 'Name of the participant.', 'ada');
const id = field(
  text({ min: 1, max: limits.identifierCharactersMax }),
  'Id of the call. Its output has the same one.',
  'call_1',
);
const toolName = field(word, 'Name of the tool.', 'get_weather');
const contentText = ['A text, or a list of parts.', 'Say hello'] as const;
const author = <const Word extends string>(word: Word) =>
  Type.Literal(word, { description: 'The author of the message.' });

const functionCalled = Type.Object({
  name: toolName,
  arguments: field(text(), 'The arguments of the call, as JSON text.', '{"city":"Berlin"}'),
});
const toolCall = Type.Union(
  [
    Type.Object({
      id,
      type: optional(kind('function')),
      function: field(functionCalled, 'The function and its arguments.'),
    }),
    Type.Object({
      id,
      type: kind('custom'),
      custom: field(
        Type.Object({
          name: toolName,
          input: field(text(), 'The input of the call.', 'Say hello'),
        }),
        'The custom tool and its input.',
      ),
    }),
  ],
  { mustBe: 'a tool call' },
);

const detailFields = {
  id: optional(identifier, 'Id of the thought.', 'rs_1'),
  index: optional(integer(0), 'The number of the thought, from 0. Its details share it.'),
  format: optional(identifier, 'The format of the thought.', 'openai-responses-v1'),
};
const reasoningDetail = Type.Union(
  [
    Type.Object({
      type: kind('reasoning.text'),
      text: optional(text(), 'The text of the thought.', 'The user greets.'),
      signature: optional(text(), "The provider's signature of the thought.", 'c2lnbmVk'),
      ...detailFields,
    }),
    Type.Object({
      type: kind('reasoning.summary'),
      summary: field(text(), 'A summary of the thoughts.', 'The user greets.'),
      ...detailFields,
    }),
    Type.Object({
      type: kind('reasoning.encrypted'),
      data: field(text(), 'Content that only its writer can read.', 'thought.v1.e30'),
      ...detailFields,
    }),
    Type.Object({
      type: kind('reasoning.server_tool_call'),
      tool_name: optional(text(), 'The type of the tool.', 'service:datetime'),
      arguments: optional(text(), 'The arguments of the call, as JSON text.', '{}'),
      result: optional(text(), 'The result of the call.', 'sunny'),
      tool_call_id: optional(identifier, 'Id of the call.', 'call_1'),
      ...detailFields,
    }),
  ],
  { mustBe: 'a reasoning detail' },
);

const detailsMax = 10_000;

const assistant = Type.Object({
  role: author('assistant'),
  model: answeringModel,
  content: optional(assistantContent, ...contentText),
  name,
  tool_calls: optional(listOf(toolCall), 'Calls of tools.', []),
  /** The form of one call before there were tools. */
  function_call: optional(functionCalled, 'A call in the form before there were tools.', {
    name: 'f',
    arguments: '{}',
  }),
  reasoning: optional(text(), 'The thoughts of the model.', 'The user greets.'),
  /** The name of others for `reasoning`. */
  reasoning_content: optional(text(), 'The name of others for `reasoning`.', 'The user greets.'),
  reasoning_details: optional(
    listOf(reasoningDetail, { max: detailsMax }),
    'Thoughts with what their maker needs to read them again.',
    [],
  ),
  refusal: optional(text(), 'Why the model refused.', 'I cannot help with that.'),
  images: optional(listOf(imageOutput), 'Pictures that the model made.', []),
  annotations,
  audio: optional(anything, 'An answer in sound.', { id: 'audio_1' }),
});

const message = Type.Union(
  [
    Type.Object({
      role: author('system'),
      content: field(textContent, ...contentText),
      name,
    }),
    Type.Object({
      role: author('developer'),
      content: field(textContent, ...contentText),
      name,
    }),
    Type.Object({
      role: author('user'),
      content: field(userContent, ...contentText),
      name,
    }),
    assistant,
    Type.Object({
      role: author('tool'),
      tool_call_id: field(id, 'The id of the call that is answered.', 'call_1'),
      content: field(toolContent, ...contentText),
      name,
    }),
    /** The answer to `function_call`. */
    Type.Object({
      role: author('function'),
      name: toolName,
      content: optional(text(), ...contentText),
    }),
  ],
  { mustBe: 'a message' },
);

export const messages = listOf(message, { min: 1, max: limits.inputItemsMax });
export type ChatMessageBody = Static<typeof message>;
export type ChatAssistantBody = Static<typeof assistant>;
export type ReasoningDetailBody = Static<typeof reasoningDetail>;
