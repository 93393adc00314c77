import type { Turns } from './forms.ts';

export interface Call {
  readonly id: string;
  readonly name?: string;
  readonly input: object;
}

/** Calls of one turn of the model. */
export function calls(said: string | undefined, ...all: readonly Call[]): Turns {
  return {
    responses: [
      ...(said === undefined ? [] : [{ role: 'assistant', content: said }]),
      ...all.map(({ id, name = 'look', input }) => ({
        type: 'function_call',
        call_id: id,
        name,
        arguments: JSON.stringify(input),
      })),
    ],
    'chat-completions': [
      {
        role: 'assistant',
        content: said ?? null,
        tool_calls: all.map(({ id, name = 'look', input }) => ({
          id,
          type: 'function',
          function: { name, arguments: JSON.stringify(input) },
        })),
      },
    ],
    messages: [
      {
        role: 'assistant',
        content: [
          ...(said === undefined ? [] : [{ type: 'text', text: said }]),
          ...all.map(({ id, name = 'look', input }) => ({ type: 'tool_use', id, name, input })),
        ],
      },
    ],
  };
}

/** Answers of tools, by call. */
export function answers(outputs: Readonly<Record<string, string>>): Turns {
  const all = Object.entries(outputs);
  return {
    responses: all.map(([id, output]) => ({ type: 'function_call_output', call_id: id, output })),
    'chat-completions': all.map(([id, content]) => ({ role: 'tool', tool_call_id: id, content })),
    messages: [
      {
        role: 'user',
        content: all.map(([id, content]) => ({ type: 'tool_result', tool_use_id: id, content })),
      },
    ],
  };
}

export const call = calls(undefined, { id: 'a', input: { city: 'Rome' } });
export const spokenCall = calls('I look', { id: 'a', input: { city: 'Rome' } });
export const emptyCall = calls(undefined, { id: 'a', input: {} });
export const parallelCalls = calls(
  undefined,
  { id: 'a', input: { city: 'Rome' } },
  { id: 'b', input: { city: 'Oslo', days: [1, 2.5], deep: { 'ä"': null } } },
);
export const laterCall = calls('And more', { id: 'c', name: 'ask', input: { why: true } });
export const result = answers({ a: 'sunny' });
export const emptyResult = answers({ a: '' });
export const jsonResult = answers({ a: '{"t": 20, "sky": "blue"}' });
export const parallelResults = answers({ a: 'sunny', b: 'snow' });
export const reversedResults = answers({ b: 'snow', a: 'sunny' });
export const laterResult = answers({ c: 'because' });

export const resultInParts: Turns = {
  responses: [
    { type: 'function_call_output', call_id: 'a', output: [{ type: 'input_text', text: 'sunny' }] },
  ],
  'chat-completions': [
    { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: 'sunny' }] },
  ],
  messages: [
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'sunny' }] },
      ],
    },
  ],
};

const png = 'aGVsbG8=';
const pngUrl = `data:image/png;base64,${png}`;
export const pictureResult: Turns = {
  responses: [
    {
      type: 'function_call_output',
      call_id: 'a',
      output: [{ type: 'input_image', image_url: pngUrl }],
    },
  ],
  'chat-completions': [
    {
      role: 'tool',
      tool_call_id: 'a',
      content: [{ type: 'image_url', image_url: { url: pngUrl } }],
    },
  ],
  messages: [
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'a',
          content: [
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
          ],
        },
      ],
    },
  ],
};

const format = 'anthropic-claude-v1';
export const thoughtAndCall: Turns = {
  responses: [
    {
      type: 'reasoning',
      id: 'rs_1',
      summary: [],
      content: [{ type: 'reasoning_text', text: 'hm' }],
      signature: 's',
      format,
    },
    ...call.responses,
  ],
  'chat-completions': call['chat-completions'].map((message) => ({
    ...message,
    reasoning_details: [{ type: 'reasoning.text', text: 'hm', signature: 's', format, index: 0 }],
  })),
  messages: call.messages.map((message) => ({
    ...message,
    content: [
      { type: 'thinking', thinking: 'hm', signature: 's' },
      ...(message as { content: readonly object[] }).content,
    ],
  })),
};

export const hiddenThought: Turns = {
  responses: [
    { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'sealed', format },
    { role: 'assistant', content: 'Done' },
  ],
  'chat-completions': [
    {
      role: 'assistant',
      content: 'Done',
      reasoning_details: [{ type: 'reasoning.encrypted', data: 'sealed', format, index: 0 }],
    },
  ],
  messages: [
    {
      role: 'assistant',
      content: [
        { type: 'redacted_thinking', data: 'sealed' },
        { type: 'text', text: 'Done' },
      ],
    },
  ],
};
