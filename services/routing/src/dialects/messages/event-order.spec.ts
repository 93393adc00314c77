import { deepEqual, equal, ok } from 'node:assert/strict';
import { isRejection } from '@sluice/errors';
import type { StreamPart } from '@sluice/inference';
import { readMessages } from '@sluice/testing/messages-stream';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import type { AnswerHead } from '../dialect.ts';
import { writeStream, writeWhole } from '../testing/write-answer.ts';
import { anyAnswer } from '../testing/any-answer.ts';
import { EventWriter } from './event-writer.ts';
import { MessageWriter } from './message-writer.ts';
import { parseMessagesRequest } from './parse-request.ts';

const head: AnswerHead = {
  name: '1',
  model: 'maker/model',
  createdAt: 1_760_000_000,
  inputTokens: 7,
  dropsThinking: false,
};

interface Block {
  readonly type: string;
  readonly [name: string]: unknown;
}
interface Event {
  readonly type: string;
  readonly index?: number;
  readonly content_block?: Block;
  readonly delta?: Readonly<Record<string, unknown>>;
  readonly message?: { readonly content: readonly unknown[] };
  readonly usage?: unknown;
}

function streamed(parts: readonly StreamPart[], size: number): readonly Event[] {
  const text = writeStream(new EventWriter(head), parts, size);
  return readMessages(text, 'gen-1') as readonly Event[];
}

const fieldOf: Readonly<Record<string, readonly [delta: string, block: string]>> = {
  text_delta: ['text', 'text'],
  thinking_delta: ['thinking', 'thinking'],
  signature_delta: ['signature', 'signature'],
  input_json_delta: ['partial_json', 'input'],
};

/** Folds the events as Anthropic's clients do, and holds them against the order of the format. */
function folded(events: readonly Event[]): readonly Block[] {
  const [first, ...rest] = events;
  equal(first?.type, 'message_start');
  deepEqual(first.message?.content, []);
  const blocks: Record<string, unknown>[] = [];
  let isOpen = false;
  for (const { type, index, content_block: block, delta = {} } of rest) {
    if (type === 'content_block_start') {
      ok(!isOpen, 'one block is open at a time');
      equal(index, blocks.length);
      ok(block);
      isOpen = true;
      blocks.push({ ...block, ...(block.type === 'tool_use' && { input: '' }) });
    } else if (type === 'content_block_delta') {
      ok(isOpen && index === blocks.length - 1, 'a delta is of the open block');
      const open = blocks.at(-1) ?? {};
      const [from, to] = fieldOf[String(delta['type'])] ?? [];
      if (from !== undefined && to !== undefined)
        open[to] = `${String(open[to])}${String(delta[from])}`;
      else {
        equal(delta['type'], 'citations_delta');
        open['citations'] = [...((open['citations'] as unknown[]) ?? []), delta['citation']];
      }
    } else if (type === 'content_block_stop') {
      ok(isOpen && index === blocks.length - 1, 'the open block stops');
      isOpen = false;
    }
  }
  ok(!isOpen, 'every block stops');
  return blocks as unknown as readonly Block[];
}

/** Answers whose functions have arguments that parse. */
const answers = anyAnswer.map((parts) => {
  const custom = new Set(
    parts.flatMap((part) => (part.type === 'tool-call-start' && part.isCustom ? [part.part] : [])),
  );
  return parts.flatMap((part): readonly StreamPart[] => {
    if (part.type === 'tool-call-start' && !part.isCustom)
      return [part, { type: 'tool-call-delta', part: part.part, delta: '{"a":1}' }];
    return part.type === 'tool-call-delta' && !custom.has(part.part) ? [] : [part];
  });
});

describe('every stream of a message', () => {
  test('has one block after the other, and becomes the whole message', () => {
    fc.assert(
      fc.property(answers, fc.integer({ min: 1, max: 9 }), (parts, size) => {
        const events = streamed(parts, size);
        const blocks = folded(events).map((block) =>
          block.type === 'tool_use'
            ? { ...block, input: JSON.parse(String(block['input'])) as object }
            : block,
        );
        const writer = new MessageWriter(head);
        const message = JSON.parse(writeWhole(writer, parts)) as {
          readonly content: readonly Block[];
          readonly stop_reason: string | null;
          readonly usage: unknown;
        };
        const names = events.map(({ type }) => type);
        equal(writer.httpStatus === 200, writer.status !== 'failed');
        if (writer.status === 'failed') {
          deepEqual(message, events.at(-1));
          equal(names.includes('message_stop'), false);
          return;
        }
        deepEqual(blocks, message.content);
        for (const block of message.content)
          ok(!Object.values(block).includes(null), 'strict clients refuse a field that is null');
        deepEqual(names.slice(-2), ['message_delta', 'message_stop']);
        const ending = events.at(-2);
        equal(ending?.delta?.['stop_reason'], message.stop_reason);
        deepEqual(ending?.usage, message.usage);
      }),
      { numRuns: 500 },
    );
  });
});

test('a picture is one block, which the next request may carry', () => {
  const picture = { type: 'image', part: 0, base64: 'aGk=', mediaType: 'image/jpeg' } as const;
  const parts: readonly StreamPart[] = [
    { type: 'response-start', upstreamId: 'x' },
    picture,
    { type: 'finish', reason: 'stop', nativeReason: undefined, usage: undefined },
  ];
  const [block, ...rest] = folded(streamed(parts, 1));
  deepEqual(rest, []);
  const source = { type: 'base64', media_type: 'image/jpeg', data: 'aGk=' };
  deepEqual(block, { type: 'image', source });
  const call = parseMessagesRequest(
    Buffer.from(
      JSON.stringify({
        model: 'm',
        messages: [
          { role: 'user', content: 'draw' },
          { role: 'assistant', content: [block] },
          { role: 'user', content: 'again' },
        ],
      }),
    ),
  );
  ok(!isRejection(call));
  deepEqual(call.inference.items[1], {
    type: 'message',
    role: 'assistant',
    content: [
      {
        type: 'image',
        source: { type: 'data', mediaType: 'image/jpeg', base64: 'aGk=' },
        detail: 'auto',
      },
    ],
  });
});
