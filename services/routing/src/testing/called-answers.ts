import type { Dialect } from '@sluice/providers';
import { jsonHead, type Scenario, streamHead } from './hostile-server.ts';
import { sends } from './hostile-world.ts';

/** A call of a tool in an answer. */
export interface AnsweredCall {
  readonly id?: string;
  /** `look` if absent. */
  readonly name?: string;
  /** The JSON text of its arguments, in the form that the dialect has: an object, or a string that holds one. */
  readonly args: string;
}

interface Wire {
  /** Returns the JSON text of a whole answer. */
  readonly whole: (calls: readonly AnsweredCall[]) => string;
  /** Returns the JSON texts of the events of a stream. */
  readonly events: (calls: readonly AnsweredCall[]) => readonly string[];
}

const idOf = ({ id }: AnsweredCall, field: string): string =>
  id === undefined ? '' : `"${field}":"${id}",`;
const nameOf = ({ name = 'look' }: AnsweredCall): string => `"name":"${name}"`;

const chatCall = (call: AnsweredCall, index: number): string =>
  `{"index":${String(index)},${idOf(call, 'id')}"type":"function",` +
  `"function":{${nameOf(call)},"arguments":${call.args}}}`;
const chatUsage = '"usage":{"prompt_tokens":5,"completion_tokens":7}';
const responsesCall = (call: AnsweredCall): string =>
  `{"type":"function_call",${idOf(call, 'call_id')}${nameOf(call)},"arguments":${call.args}}`;
const ended = (calls: readonly AnsweredCall[]): string =>
  `{"id":"x","status":"completed","output":[${calls.map(responsesCall).join()}],` +
  '"usage":{"input_tokens":5,"output_tokens":7}}';
const claudeCall = (call: AnsweredCall): string =>
  `{"type":"tool_use",${idOf(call, 'id')}${nameOf(call)},"input":${call.args}}`;
const claudeUsage = '"usage":{"input_tokens":5,"output_tokens":7}';
const geminiPart = (call: AnsweredCall): string =>
  `{"functionCall":{${idOf(call, 'id')}${nameOf(call)},"args":${call.args}}}`;
const gemini = (calls: readonly AnsweredCall[]): string =>
  `{"responseId":"x","candidates":[{"content":{"parts":[${calls.map(geminiPart).join()}]},` +
  '"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":5,"candidatesTokenCount":7}}';

const wires: Readonly<Record<Dialect, Wire>> = {
  'openai-chat': {
    whole: (calls) =>
      `{"id":"x","choices":[{"message":{"tool_calls":[${calls.map(chatCall).join()}]},` +
      `"finish_reason":"tool_calls"}],${chatUsage}}`,
    events: (calls) => [
      `{"id":"x","choices":[{"delta":{"tool_calls":[${calls.map(chatCall).join()}]}}]}`,
      `{"id":"x","choices":[{"delta":{},"finish_reason":"tool_calls"}],${chatUsage}}`,
      '[DONE]',
    ],
  },
  'openai-responses': {
    whole: ended,
    events: (calls) => [
      ...calls.map(
        (call, index) =>
          `{"type":"response.output_item.done","output_index":${String(index)},` +
          `"item":${responsesCall(call)}}`,
      ),
      `{"type":"response.completed","response":${ended(calls)}}`,
    ],
  },
  'anthropic-messages': {
    whole: (calls) =>
      `{"id":"x","type":"message","content":[${calls.map(claudeCall).join()}],` +
      `"stop_reason":"tool_use",${claudeUsage}}`,
    events: (calls) => [
      `{"type":"message_start","message":{"id":"x",${claudeUsage}}}`,
      ...calls.flatMap((call, index) => [
        `{"type":"content_block_start","index":${String(index)},"content_block":${claudeCall(call)}}`,
        `{"type":"content_block_stop","index":${String(index)}}`,
      ]),
      `{"type":"message_delta","delta":{"stop_reason":"tool_use"},${claudeUsage}}`,
      '{"type":"message_stop"}',
    ],
  },
  'google-gemini': { whole: gemini, events: (calls) => [gemini(calls)] },
};

/** Answers with these calls in the words of a dialect. */
export function callsTools(
  dialect: Dialect,
  { stream }: { readonly stream: boolean },
  ...calls: readonly AnsweredCall[]
): Scenario {
  const { whole, events } = wires[dialect];
  if (!stream) return sends(jsonHead, whole(calls));
  return sends(
    streamHead,
    events(calls)
      .map((event) => `data: ${event}\n\n`)
      .join(''),
  );
}
