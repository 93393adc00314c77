import type { StreamPart } from '@sluice/inference';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sseBytes } from './sse.ts';
import { eventsOf, terminalOf } from './testing/generation.ts';

const kinds = ['text', 'refusal', 'reasoning', 'tool-call'] as const;

interface Move {
  readonly move: 'start' | 'delta' | 'end';
  readonly kind: (typeof kinds)[number];
  readonly pick: number;
  readonly delta: string;
}

const moves = fc.array(
  fc.record<Move>({
    move: fc.constantFrom('start', 'delta', 'delta', 'delta', 'end'),
    kind: fc.constantFrom(...kinds),
    pick: fc.nat(7),
    delta: fc.string({ unit: 'binary', minLength: 1, maxLength: 5 }),
  }),
  { maxLength: 40 },
);

const endings = fc.constantFrom<StreamPart>(
  { type: 'finish', reason: 'stop', nativeReason: 'stop', usage: undefined },
  { type: 'finish', reason: 'tool-calls', nativeReason: 'x', usage: undefined },
  { type: 'finish', reason: 'length', nativeReason: 'length', usage: undefined },
  { type: 'finish', reason: 'content-filter', nativeReason: 'x', usage: undefined },
  {
    type: 'error',
    code: 'provider_unavailable',
    message: 'cut',
    providerCode: undefined,
    usage: undefined,
  },
);

/** Any generation that a dialect may tell: parts open, grow and end in any interleaving. */
const generations = fc.tuple(moves, endings).map(([list, ending]): readonly StreamPart[] => {
  const parts: StreamPart[] = [{ type: 'response-start', upstreamId: 'x' }];
  const open: { readonly part: number; readonly kind: Move['kind'] }[] = [];
  let next = 0;
  for (const { move, kind, pick, delta } of list) {
    const chosen = open[pick % Math.max(open.length, 1)];
    if (move === 'start') {
      const part = next;
      next += 1;
      open.push({ part, kind });
      parts.push(
        kind === 'tool-call'
          ? { type: 'tool-call-start', part, callId: `call_${String(part)}`, name: 'f' }
          : { type: `${kind}-start`, part },
      );
    } else if (chosen && move === 'delta') {
      parts.push({ type: `${chosen.kind}-delta`, part: chosen.part, delta });
    } else if (chosen) {
      open.splice(open.indexOf(chosen), 1);
      parts.push({ type: `${chosen.kind}-end`, part: chosen.part });
    }
  }
  return [...parts, ending];
});

const terminals = ['response.completed', 'response.incomplete', 'response.failed'];

type Loose = Readonly<Record<string, unknown>>;

/** What a client reads from the wire. */
const received = (parts: readonly StreamPart[]): readonly Loose[] =>
  Buffer.from(sseBytes(eventsOf(parts)))
    .toString()
    .split('\n\n')
    .filter((frame) => frame !== '')
    .map((frame) => {
      const [first = '', second = '', ...rest] = frame.split('\n');
      const event = JSON.parse(second.slice('data: '.length)) as Loose;
      expect(first).toBe(`event: ${String(event['type'])}`);
      expect(rest).toEqual([]);
      return event;
    });

/** An independent reader: builds each item's text from its deltas. */
const accumulate = (events: readonly Loose[]): ReadonlyMap<unknown, string> => {
  const texts = new Map<unknown, string>();
  for (const event of events) {
    if (event['type'] === 'response.output_item.added') texts.set(event['output_index'], '');
    if (typeof event['delta'] !== 'string') continue;
    const place = event['output_index'];
    texts.set(place, (texts.get(place) ?? 'not added') + event['delta']);
  }
  return texts;
};

const textOf = (item: Loose): unknown => {
  if (item['type'] === 'function_call') return item['arguments'];
  const [part] = item['content'] as readonly Loose[];
  return part?.['text'] ?? part?.['refusal'];
};

describe('in every stream of events', () => {
  test('numbers count from 0, the response is created first and ends once, last', () => {
    fc.assert(
      fc.property(generations, (parts) => {
        const events = received(parts);
        expect(events.map((event) => event['sequence_number'])).toEqual([...events.keys()]);
        expect(events[0]?.['type']).toBe('response.created');
        expect(events[1]?.['type']).toBe('response.in_progress');
        const ends = events.filter((event) => terminals.includes(String(event['type'])));
        expect(ends).toEqual([events.at(-1)]);
      }),
    );
  });

  test('items open in order, and nothing of an item comes before it opens or after it is done', () => {
    fc.assert(
      fc.property(generations, (parts) => {
        const open = new Set<unknown>();
        let added = 0;
        for (const event of received(parts)) {
          const place = event['output_index'];
          if (place === undefined) continue;
          if (event['type'] === 'response.output_item.added') {
            expect(place).toBe(added);
            added += 1;
            open.add(place);
          } else {
            expect(open.has(place)).toBe(true);
            if (event['type'] === 'response.output_item.done') open.delete(place);
          }
        }
      }),
    );
  });

  test('every item that opened is done, unless the response failed', () => {
    fc.assert(
      fc.property(generations, (parts) => {
        const events = received(parts);
        const count = (type: string): number =>
          events.filter((event) => event['type'] === type).length;
        if (events.at(-1)?.['type'] === 'response.failed') return;
        expect(count('response.output_item.done')).toBe(count('response.output_item.added'));
        expect(count('response.content_part.done')).toBe(count('response.content_part.added'));
      }),
    );
  });

  test('the deltas add up to the done events and to the final snapshot', () => {
    fc.assert(
      fc.property(generations, (parts) => {
        const events = received(parts);
        const texts = accumulate(events);
        const last = events.at(-1)?.['response'] as { readonly output: readonly Loose[] };
        expect(last.output.map(textOf)).toEqual([...texts.values()]);
        for (const event of events) {
          const place = event['output_index'];
          if (event['type'] === 'response.output_item.done') {
            const item = event['item'] as Loose;
            expect(textOf(item)).toBe(texts.get(place));
            expect(item).toEqual(last.output[Number(place)]);
          }
          if (/(text|refusal|arguments)\.done$/.test(String(event['type']))) {
            const done = event['text'] ?? event['refusal'] ?? event['arguments'];
            expect(done).toBe(texts.get(place));
          }
        }
      }),
    );
  });

  test('ids of an item never change and are unique', () => {
    fc.assert(
      fc.property(generations, (parts) => {
        const ids = new Map<unknown, unknown>();
        for (const event of received(parts)) {
          const item = event['item'] as Loose | undefined;
          const id = event['item_id'] ?? item?.['id'];
          if (id === undefined) continue;
          expect(ids.get(event['output_index']) ?? id).toBe(id);
          ids.set(event['output_index'], id);
        }
        expect(new Set(ids.values()).size).toBe(ids.size);
      }),
    );
  });

  test('the last snapshot is the body of the same answer that is not streamed', () => {
    fc.assert(
      fc.property(generations, (parts) => {
        const streamed = (received(parts).at(-1)?.['response'] ?? {}) as Loose;
        const whole: unknown = JSON.parse(JSON.stringify(terminalOf(together(parts))));
        expect(whole).toEqual(streamed);
      }),
    );
  });
});

/** The same answer as one body tells it: each part's text at once. */
const together = (parts: readonly StreamPart[]): readonly StreamPart[] => {
  const texts = new Map<number, string>();
  for (const part of parts) {
    if ('delta' in part) texts.set(part.part, (texts.get(part.part) ?? '') + part.delta);
  }
  return parts.flatMap((part): readonly StreamPart[] => {
    if ('delta' in part) return [];
    const delta = 'part' in part && part.type.endsWith('-start') ? texts.get(part.part) : undefined;
    if (delta === undefined) return [part];
    return [part, { ...part, type: part.type.replace('-start', '-delta'), delta } as StreamPart];
  });
};
