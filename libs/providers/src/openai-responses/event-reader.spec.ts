import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { ResponsesEventReader } from './event-reader.ts';
import { readResponsesEvent } from './wire.ts';

const place = { item_id: 'msg_1', output_index: 0, content_index: 0 };
const type = 'response.output_text.delta';
/** As OpenAI orders it, and as others do. */
const padded = (delta: unknown, number = 1, more: object = {}) =>
  JSON.stringify({
    type,
    sequence_number: number,
    ...place,
    delta,
    logprobs: [],
    obfuscation: 'x'.repeat(number),
    ...more,
  });
const plain = (delta: unknown, number = 1, more: object = {}) =>
  JSON.stringify({ type, ...place, delta, logprobs: [], sequence_number: number, ...more });

const readAll = (events: readonly string[]) => {
  const reader = new ResponsesEventReader();
  return events.map((data) => reader.read(data));
};
/** How many of these texts were parsed as whole events. */
function wholesOf(events: readonly string[]): number {
  const parse = vi.spyOn(JSON, 'parse');
  try {
    readAll(events);
    return parse.mock.calls.filter(([text]) => text.startsWith('{')).length;
  } finally {
    parse.mockRestore();
  }
}

describe('the events of a stream of a response', () => {
  test.each([
    ['padded', padded],
    ['plain', plain],
  ])('that say a piece of the same text are read for it alone: %s', (_name, event) => {
    const texts = ['a', '"b"\n', '', 'ü\\', '\u2028', '"delta":"', '"sequence_number":7'];
    const events = texts.map((text, index) => event(text, index + 9));

    expect(readAll(events)).toEqual(events.map(readResponsesEvent));
    // The first one, and what it was learned from.
    expect(wholesOf(events)).toBe(2);
  });

  test('are read whole where anything else changes', () => {
    for (const other of [
      padded('b', 2, { output_index: 1 }),
      padded('b', 2, { content_index: 1 }),
      padded('b', 2, { type: 'response.refusal.delta' }),
      padded('b', 2, { logprobs: [{ token: 'b', logprob: -1 }] }),
      padded(null),
      padded(['b']),
      padded('b').replace('"sequence_number":1', '"sequence_number":01'),
      padded('b').replace('"sequence_number":1', '"sequence_number":'),
      padded('b').replace('"sequence_number":1', '"sequence_number":1.5e3'),
      padded('b').replace('"obfuscation":"x"', String.raw`"obfuscation":"\x"`),
      padded('b').replace('"delta":"b"', '"delta":"b","delta":"c"'),
      padded('b').slice(0, -2),
      padded('b').slice(0, 80),
      `${padded('b')}}`,
    ])
      expect(readAll([padded('a'), other])[1]).toEqual(readResponsesEvent(other));
  });

  test('are read whole where the text is not what stands at the first of that name', () => {
    const beside = (text: string) => `{"a":{"delta":"${text}"},${padded('same').slice(1)}`;
    for (const event of readAll([beside('a'), beside('b'), beside('c')]))
      expect(event).toMatchObject({ type: 'prose-delta', delta: 'same' });
  });

  test('say the same however they come', () => {
    const text = fc.oneof(fc.string(), fc.constantFrom('"delta":"', '\\', '"}', '\u0000', '"'));
    const number = fc.integer({ min: 0, max: 20 });
    const event = fc.oneof(
      { weight: 6, arbitrary: fc.tuple(text, number).map(([said, at]) => padded(said, at)) },
      { weight: 6, arbitrary: fc.tuple(text, number).map(([said, at]) => plain(said, at)) },
      fc.tuple(text, number).map(([said, at]) => plain(said, at, { obfuscation: said })),
      fc.tuple(text, text).map(([said, more]) => padded(said, 1, { delta: { delta: more } })),
      fc.tuple(text, number).map(([said, cut]) => padded(said).slice(0, -cut)),
      fc.json(),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 12 }), (events) => {
        expect(readAll(events)).toEqual(events.map(readResponsesEvent));
      }),
      { numRuns: 300 },
    );
  });
});
