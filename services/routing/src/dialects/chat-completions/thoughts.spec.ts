import { isRejection } from '@sluice/errors';
import type { InputItem, ReasoningReplay, StreamPart } from '@sluice/inference';
import { readChunks } from '@sluice/testing/chat-stream';
import { describe, expect, test } from 'vitest';
import { writeStream, writeWhole } from '../testing/write-answer.ts';
import { ChunkWriter } from './chunk-writer.ts';
import { CompletionWriter } from './completion-writer.ts';
import type { ReasoningDetail } from './delta.ts';
import { parseChatRequest } from './parse-request.ts';

const head = {
  name: 'a1',
  model: 'm/m',
  createdAt: 1_760_000_000,
  inputTokens: 7,
  dropsThinking: false,
};
const form = { excludesThoughts: false, isLegacy: false };

type Said = readonly StreamPart[];
const begin: Said = [{ type: 'response-start', upstreamId: 'x' }];
const finish: StreamPart = {
  type: 'finish',
  reason: 'stop',
  nativeReason: undefined,
  usage: undefined,
};
const thought = (part: number, format: string | undefined, replay?: ReasoningReplay): Said => [
  { type: 'reasoning-start', part, ...(format && { format }) },
  { type: 'reasoning-delta', part, delta: `thought ${String(part)}` },
  { type: 'reasoning-end', part, ...(replay && { replay }) },
];
const signed = (part: number, signature: string): Said => [
  { type: 'reasoning-start', part, format: 'google-gemini-v1' },
  { type: 'reasoning-end', part, replay: { signature, format: 'google-gemini-v1' } },
];
const prose = (part: number): Said => [
  { type: 'text-start', part },
  { type: 'text-delta', part, delta: 'said' },
  { type: 'text-end', part },
];
const call = (part: number): Said => [
  { type: 'tool-call-start', part, callId: `call_${String(part)}`, name: 'f' },
  { type: 'tool-call-delta', part, delta: '{}' },
  { type: 'tool-call-end', part },
];

interface Message {
  readonly reasoning_details?: readonly ReasoningDetail[];
  readonly tool_calls?: readonly { readonly id: string }[];
}

function whole(said: Said, asked = form): { choices: { message: Message }[] } {
  const text = writeWhole(new CompletionWriter(head, asked), [...begin, ...said, finish]);
  return JSON.parse(text) as { choices: { message: Message }[] };
}

/** The details of an answer, as the provider of the AI SDK for OpenRouter adds them up. */
function addedUp(said: Said): readonly ReasoningDetail[] {
  const text = writeStream(new ChunkWriter(head, form), [...begin, ...said, finish]);
  const details = readChunks(text, 'gen-a1').flatMap(({ choices }) =>
    choices.flatMap(({ delta }) => (delta.reasoning_details ?? []) as readonly ReasoningDetail[]),
  );
  const sum: ReasoningDetail[] = [];
  for (const detail of details) {
    const last = sum.at(-1);
    if (detail.type === 'reasoning.text' && last?.type === 'reasoning.text') {
      const signature = last.signature ?? detail.signature;
      const joined = (last.text ?? '') + (detail.text ?? '');
      sum[sum.length - 1] = { ...last, text: joined, ...(signature && { signature }) };
    } else sum.push(detail);
  }
  return sum;
}

/** Returns the items that the model reads when the client sends the message back. */
function readAgain(message: object): readonly InputItem[] {
  const answers = ((message as Message).tool_calls ?? []).map(({ id }) => ({
    role: 'tool',
    tool_call_id: id,
    content: 'done',
  }));
  const messages = [{ role: 'user', content: 'hm' }, message, ...answers];
  const parsed = parseChatRequest(Buffer.from(JSON.stringify({ model: 'm/m', messages })));
  if (isRejection(parsed)) throw new Error(JSON.stringify(parsed));
  return parsed.inference.items.slice(1);
}

const briefly = (items: readonly InputItem[]): readonly string[] =>
  items.flatMap((item) => {
    if (item.type === 'reasoning') return item.signature ?? item.content.join('');
    if (item.type === 'message') return 'text';
    return item.type === 'function-call' ? item.callId : [];
  });

describe('the details of a thought', () => {
  test.each<[string, Said, readonly Partial<ReasoningDetail>[]]>([
    ['nobody wants back', thought(0, undefined), [{ format: 'unknown' }]],
    [
      'Claude signs',
      thought(0, 'anthropic-claude-v1', { signature: 's', format: 'anthropic-claude-v1' }),
      [{ format: 'anthropic-claude-v1', text: 'thought 0', signature: 's' }],
    ],
    [
      'a maker encrypts',
      thought(0, 'openai-responses-v1', { encrypted: 'e', format: 'openai-responses-v1' }),
      [
        { format: 'openai-responses-v1', text: 'thought 0' },
        { type: 'reasoning.encrypted', format: 'openai-responses-v1', data: 'e' },
      ],
    ],
  ])('have an id, an index and a format, also when a client adds them up: %s', (_, said, told) => {
    const marked = told.map(
      (detail) => expect.objectContaining({ index: 0, ...detail }) as unknown,
    );
    for (const details of [addedUp(said), whole(said).choices[0]?.message.reasoning_details]) {
      expect(details).toEqual(marked);
      expect(new Set(details?.map(({ id }) => id))).toEqual(new Set(['rs_a1_0_at0']));
    }
  });
});

describe('a thought goes back to its place', () => {
  test.each<[string, Said, readonly string[]]>([
    ['before the text', [...signed(0, 'S'), ...prose(1), ...call(2)], ['S', 'text', 'call_2']],
    [
      'between text and call',
      [...prose(0), ...signed(1, 'S'), ...call(2)],
      ['text', 'S', 'call_2'],
    ],
    ['before a call alone', [...signed(0, 'S'), ...call(1)], ['S', 'call_1']],
    [
      'before the second call',
      [...signed(0, 'S'), ...call(1), ...signed(2, 'T'), ...call(3)],
      ['S', 'call_1', 'T', 'call_3'],
    ],
    ['after everything', [...prose(0), ...signed(1, 'S')], ['text', 'S']],
    [
      'before a message with the picture that it belongs to',
      [...prose(0), ...signed(1, 'S'), { type: 'image', part: 2, base64: 'aGk=' }],
      ['S', 'text'],
    ],
  ])('%s', (_, said, order) => {
    const [choice] = whole(said).choices;
    expect(briefly(readAgain(choice?.message ?? {}))).toEqual(order);
  });

  test('a signature counts, whatever the format of its text', () => {
    const reasoning_details = [
      { type: 'reasoning.text', text: 'hm', format: 'unknown', index: 0 },
      { type: 'reasoning.text', signature: 's', format: 'anthropic-claude-v1', index: 0 },
    ];
    const message = { role: 'assistant', content: 'a', reasoning_details };
    expect(readAgain(message)[0]).toMatchObject({ signature: 's', format: 'anthropic-claude-v1' });
  });

  test('foreign ids name no place, though they look alike', () => {
    const mark = { id: 'rs_68ab_at99999', index: 0, format: 'unknown' };
    const reasoning_details = [{ type: 'reasoning.text', text: 'hm', ...mark }];
    const message = { role: 'assistant', content: 'a', reasoning_details };
    expect(briefly(readAgain(message))).toEqual(['hm', 'text']);
  });
});

test('the legacy form tells the first call alone, so that its arguments parse', () => {
  const said: Said = [...call(0), ...call(1)];
  const [choice] = whole(said, { ...form, isLegacy: true }).choices;
  expect(choice?.message).toMatchObject({ function_call: { name: 'f', arguments: '{}' } });
});
