import type { StreamPart } from '@sluice/inference';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readStream } from '../testing/read-stream.ts';
import { openAiResponsesTranslator } from './openai-responses.ts';

const read = (...events: readonly object[]): readonly StreamPart[] =>
  readStream(openAiResponsesTranslator, [
    Buffer.from(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')),
  ]);

/** Returns the final text of a part, as a client has it. */
function finalText(parts: readonly StreamPart[]): string {
  let text = '';
  for (const part of parts) {
    if ('delta' in part) text += part.delta;
    if (part.type === 'correction' && part.text !== undefined) ({ text } = part);
  }
  return text;
}

const differences = (parts: readonly StreamPart[]) =>
  parts.flatMap((part) => (part.type === 'correction' ? [part.difference] : []));
const count = (parts: readonly StreamPart[], suffix: string) =>
  parts.filter((part) => 'part' in part && part.type.endsWith(suffix)).length;

interface Kind {
  readonly name: string;
  readonly delta: (delta: string) => object;
  /** The events that have the whole text, in their order. */
  readonly done: (text: string) => readonly object[];
  readonly item: (text: string) => object;
}

const at = { output_index: 0, content_index: 0 };
const content = (text: string) => [{ type: 'output_text', text }];
const kinds: readonly Kind[] = [
  {
    name: 'a text',
    delta: (delta) => ({ type: 'response.output_text.delta', ...at, delta }),
    done: (text) => [
      { type: 'response.output_text.done', ...at, text },
      { type: 'response.content_part.done', ...at, part: content(text)[0] },
    ],
    item: (text) => ({ id: 'i', type: 'message', content: content(text) }),
  },
  {
    name: 'a refusal',
    delta: (delta) => ({ type: 'response.refusal.delta', ...at, delta }),
    done: (refusal) => [{ type: 'response.refusal.done', ...at, refusal }],
    item: (refusal) => ({ id: 'i', type: 'message', content: [{ type: 'refusal', refusal }] }),
  },
  {
    name: 'a thought',
    delta: (delta) => ({ type: 'response.reasoning_text.delta', ...at, delta }),
    done: (text) => [{ type: 'response.reasoning_text.done', ...at, text }],
    item: (text) => ({ id: 'i', type: 'reasoning', summary: [], content: [{ text }] }),
  },
  {
    name: 'a summary',
    delta: (delta) => ({
      type: 'response.reasoning_summary_text.delta',
      output_index: 0,
      summary_index: 0,
      delta,
    }),
    done: (text) => [
      { type: 'response.reasoning_summary_text.done', output_index: 0, summary_index: 0, text },
    ],
    item: (text) => ({ id: 'i', type: 'reasoning', summary: [{ text }] }),
  },
  {
    name: 'the input of a custom tool',
    delta: (delta) => ({ type: 'response.custom_tool_call_input.delta', output_index: 0, delta }),
    done: (input) => [{ type: 'response.custom_tool_call_input.done', output_index: 0, input }],
    item: (input) => ({ type: 'custom_tool_call', call_id: 'c', name: 'f', input }),
  },
];

const added = (item: object) => ({ type: 'response.output_item.added', output_index: 0, item });
const itemDone = (item: object) => ({ type: 'response.output_item.done', output_index: 0, item });
const completed = (...output: readonly object[]) => ({
  type: 'response.completed',
  response: { id: 'r', status: 'completed', output },
});

describe.each(kinds)('$name that is told twice', ({ delta, done, item }) => {
  test('is the same however it is split between deltas and later events', () => {
    const cuts = fc.tuple(fc.string({ minLength: 1 }), fc.array(fc.nat(30)), fc.nat(30));
    fc.assert(
      fc.property(cuts, fc.nat(3), ([text, places, sent], told) => {
        const deltas = [...places, sent].toSorted((a, b) => a - b);
        const pieces = deltas.map((end, index) => text.slice(deltas[index - 1] ?? 0, end));
        const later = [...done(text), itemDone(item(text)), completed(item(text))];
        const parts = read(
          added(item('')),
          ...pieces.map(delta),
          ...later.slice(told % later.length),
        );
        expect(finalText(parts)).toBe(text);
        expect(count(parts, '-start')).toBe(1);
        expect(count(parts, '-end')).toBe(1);
        const sentLength = deltas.at(-1) ?? 0;
        const isShort = sentLength > 0 && sentLength < text.length;
        expect(differences(parts)).toEqual(isShort ? ['short'] : []);
      }),
    );
  });

  test('is what the later event says if the two contradict each other', () => {
    const later = [...done('right'), itemDone(item('right')), completed(item('right'))];
    for (let from = 0; from < later.length; from += 1) {
      const parts = read(added(item('')), delta('wrong'), ...later.slice(from));
      expect(finalText(parts)).toBe('right');
      expect(differences(parts)).toEqual(['contrary']);
    }
  });

  test('is found by its id if the terminal event counts items anew', () => {
    const begun = [
      { ...added(item('')), output_index: 3 },
      { ...delta('ab'), output_index: 3 },
    ];
    const parts = read(...begun, completed(item('abc')));
    expect(finalText(parts)).toBe('abc');
    expect(count(parts, '-start')).toBe(1);
  });
});

test('a text that the terminal event tells longer than its item is counted', () => {
  const item = (text: string) => ({ id: 'i', type: 'message', content: content(text) });
  const parts = read(added(item('')), itemDone(item('ab')), completed(item('abc')));
  expect(finalText(parts)).toBe('ab');
  expect(differences(parts)).toEqual(['late']);
});

test('arguments that parse win over a later event whose arguments do not', () => {
  const call = (text: string) => ({
    type: 'function_call',
    call_id: 'c',
    name: 'f',
    arguments: text,
  });
  const delta = { type: 'response.function_call_arguments.delta', output_index: 0 };
  const done = { type: 'response.function_call_arguments.done', output_index: 0 };
  const twice = '{"a":1}{"a":1}';
  const parts = read(
    added(call('')),
    { ...delta, delta: '{"a":1}' },
    { ...done, arguments: twice },
    itemDone(call(twice)),
    completed(),
  );
  expect(finalText(parts)).toBe('{"a":1}');
});
