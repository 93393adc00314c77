import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ChatEventReader } from './event-reader.ts';
import { readChatEvent } from './wire.ts';

const chunk = (content: unknown, more: object = {}, beside: object = {}) =>
  JSON.stringify({ id: 'x', ...beside, choices: [{ index: 0, delta: { content }, ...more }] });
const typesOf = (data: readonly string[]) => {
  const reader = new ChatEventReader();
  return data.map((each) => reader.read(each));
};

describe('the events of a stream of chat completions', () => {
  test('that differ from the one before in their text alone are read for it alone', () => {
    const texts = ['a', '"b"\n', '', 'ü\\', '\u2028'];
    const read = typesOf(texts.map((text) => chunk(text)));
    expect(read.map(({ type }) => type)).toEqual(['chunk', 'text', 'text', 'text', 'text']);
    expect(read.slice(1)).toEqual(texts.slice(1).map((text) => ({ type: 'text', text })));
  });

  test('are read whole where anything else changes', () => {
    for (const other of [
      chunk('b', { finish_reason: 'stop' }),
      chunk('b', {}, { usage: { prompt_tokens: 1 } }),
      chunk('b', {}, { service_tier: 'flex' }),
      chunk(null),
      chunk(['b']),
      '{"id":"x","choices":[{"index":0,"delta":{"content":"b","content":"c"}}]}',
      '{"id":"x","choices":[{"index":0,"delta":{"content":"b',
    ])
      expect(typesOf([chunk('a'), other])[1]).toEqual(readChatEvent(other));
  });

  test('are read whole where the text is not what stands at the first of that name', () => {
    const beside = (text: string) => `{"a":{"content":"${text}"},${chunk('same').slice(1)}`;
    for (const event of typesOf([beside('a'), beside('b'), beside('c')]))
      expect(event).toMatchObject({ type: 'chunk', chunk: { message: { text: 'same' } } });
  });

  test('say the same however they come', () => {
    const text = fc.oneof(fc.string(), fc.constantFrom('"content":"', '\\', '"}', '\u0000'));
    const event = fc.oneof(
      { weight: 6, arbitrary: text.map((said) => chunk(said)) },
      fc
        .tuple(text, fc.constantFrom(null, 'stop'))
        .map(([said, reason]) => chunk(said, { finish_reason: reason })),
      fc
        .tuple(text, text)
        .map(([said, more]) => chunk(said, { delta: { content: more, refusal: said } })),
      fc.json(),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 12 }), (events) => {
        const read = typesOf(events);
        for (const [index, data] of events.entries()) {
          const whole = readChatEvent(data);
          const told = read[index];
          if (told?.type !== 'text') expect(told).toEqual(whole);
          else expect(whole).toMatchObject({ chunk: { message: { text: told.text } } });
        }
      }),
      { numRuns: 300 },
    );
  });
});
