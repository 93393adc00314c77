import type { StreamPart } from '@sluice/inference';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sseBytes } from './sse.ts';
import { eventsOf, terminalOf } from './testing/generation.ts';

const kinds = [
  'text',
  'refusal',
  'reasoning',
  'tool-call',
  'custom-call',
  'native',
  'image',
] as const;

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

interface OpenPart {
  readonly part: number;
  readonly kind: Move['kind'];
  summaries: number;
}

const native = { type: 'web_search_call', id: 'ws_upstream', status: 'completed' };

function startOf(kind: Move['kind'], part: number): StreamPart {
  const callId = `call_${String(part)}`;
  switch (kind) {
    case 'tool-call':
      return { type: 'tool-call-start', part, callId, name: 'f' };
    case 'custom-call':
      return { type: 'tool-call-start', part, callId, name: 'g', isCustom: true };
    case 'native':
      return { type: 'native-start', part, item: { ...native, status: 'in_progress' } };
    case 'image':
      return { type: 'image', part, base64: 'aGk=' };
    case 'text':
    case 'refusal':
    case 'reasoning':
      return { type: `${kind}-start`, part };
  }
}

function deltaOf(open: OpenPart, delta: string, pick: number): readonly StreamPart[] {
  const { part, kind } = open;
  switch (kind) {
    case 'tool-call':
    case 'custom-call':
      return [{ type: 'tool-call-delta', part, delta }];
    case 'text': {
      const annotation = { type: 'url_citation', url: delta };
      return [
        { type: 'text-delta', part, delta },
        ...(pick > 5 ? [{ type: 'text-annotation', part, annotation } as const] : []),
      ];
    }
    case 'refusal':
      return [{ type: 'refusal-delta', part, delta }];
    case 'reasoning': {
      if (pick % 2 === 0) return [{ type: 'reasoning-delta', part, delta }];
      if (open.summaries === 0 || pick > 4) open.summaries += 1;
      return [{ type: 'reasoning-summary-delta', part, summary: open.summaries - 1, delta }];
    }
    case 'native':
    case 'image':
      return [];
  }
}

function endOf({ kind, part }: OpenPart): StreamPart {
  switch (kind) {
    case 'custom-call':
      return { type: 'tool-call-end', part };
    case 'native':
      return { type: 'native-end', part, item: native };
    case 'reasoning':
      return { type: 'reasoning-end', part, replay: { signature: 's', format: 'f' } };
    case 'image':
      throw new Error('an image is whole');
    case 'text':
    case 'refusal':
    case 'tool-call':
      return { type: `${kind}-end`, part };
  }
}

/** Any generation that a dialect may tell: parts open, grow and end in any interleaving. */
const generations = fc.tuple(moves, endings).map(([list, ending]): readonly StreamPart[] => {
  const parts: StreamPart[] = [{ type: 'response-start', upstreamId: 'x' }];
  const open: OpenPart[] = [];
  let next = 0;
  for (const { move, kind, pick, delta } of list) {
    const chosen = open[pick % Math.max(open.length, 1)];
    if (move === 'start') {
      const part = next;
      next += 1;
      if (kind !== 'image') open.push({ part, kind, summaries: 0 });
      parts.push(startOf(kind, part));
    } else if (chosen && move === 'delta') {
      parts.push(...deltaOf(chosen, delta, pick));
    } else if (chosen) {
      open.splice(open.indexOf(chosen), 1);
      parts.push(endOf(chosen));
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
    if (typeof event['delta'] !== 'string' || 'summary_index' in event) continue;
    const place = event['output_index'];
    texts.set(place, (texts.get(place) ?? 'not added') + event['delta']);
  }
  return texts;
};

const textOf = (item: Loose): unknown => {
  switch (item['type']) {
    case 'function_call':
      return item['arguments'];
    case 'custom_tool_call':
      return item['input'];
    case 'web_search_call':
    case 'image_generation_call':
      return '';
    default: {
      const [part] = item['content'] as readonly Loose[];
      return part?.['text'] ?? part?.['refusal'] ?? '';
    }
  }
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
          if ('summary_index' in event) continue;
          if (/(text|refusal|arguments|input)\.done$/.test(String(event['type']))) {
            const done = event['text'] ?? event['refusal'] ?? event['arguments'] ?? event['input'];
            expect(done).toBe(texts.get(place));
          }
        }
      }),
    );
  });

  test('summaries open one after the other, are done, and add up', () => {
    fc.assert(
      fc.property(generations, (parts) => {
        const events = received(parts);
        const deltas = new Map<string, string>();
        const open = new Set<string>();
        for (const event of events) {
          if (!('summary_index' in event)) continue;
          const key = `${String(event['output_index'])}/${String(event['summary_index'])}`;
          const type = String(event['type']);
          if (type.endsWith('part.added')) open.add(key);
          expect(open.has(key)).toBe(true);
          if (typeof event['delta'] === 'string')
            deltas.set(key, (deltas.get(key) ?? '') + event['delta']);
          if (type.endsWith('text.done')) expect(event['text']).toBe(deltas.get(key));
          if (type.endsWith('part.done')) open.delete(key);
        }
        const failed = events.at(-1)?.['type'] === 'response.failed';
        if (!failed) expect(open.size).toBe(0);
        const last = events.at(-1)?.['response'] as { readonly output: readonly Loose[] };
        const told = last.output.flatMap((item, index) =>
          ((item['summary'] ?? []) as readonly Loose[]).map((summary, number) => [
            `${String(index)}/${String(number)}`,
            summary['text'],
          ]),
        );
        expect(new Map(told as [string, string][])).toEqual(deltas);
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

/** The same answer as one body tells it: each part's text at once, each summary as well. */
const together = (parts: readonly StreamPart[]): readonly StreamPart[] =>
  parts.flatMap((part): readonly StreamPart[] => {
    if ('delta' in part || part.type === 'text-annotation') return [];
    if (!('part' in part) || !part.type.endsWith('-start')) return [part];
    return [part, ...grownBy(parts.filter((each) => 'part' in each && each.part === part.part))];
  });

function grownBy(parts: readonly StreamPart[]): readonly StreamPart[] {
  const grown = new Map<string, StreamPart>();
  for (const part of parts) {
    if (part.type === 'text-annotation') grown.set(`annotation ${String(grown.size)}`, part);
    if (!('delta' in part)) continue;
    const key = 'summary' in part ? `summary ${String(part.summary)}` : 'text';
    const known = grown.get(key);
    const delta = (known && 'delta' in known ? known.delta : '') + part.delta;
    grown.set(key, { ...part, delta });
  }
  return [...grown.values()];
}
