import type { StreamPart } from '@sluice/inference';
import { readStream } from '@sluice/testing/response-stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { doneBytes } from '../../answer/sse.ts';
import { SseEncoder } from './sse.ts';
import { anyAnswer } from '../../testing/any-answer.ts';
import { eventsOf, terminalOf } from '../testing/generation.ts';

type Loose = Readonly<Record<string, unknown>>;

/** Returns the events that a client reads from the wire. They keep every rule of a stream. */
const received = (parts: readonly StreamPart[]): readonly Loose[] =>
  readStream(new SseEncoder().text(eventsOf(parts)) + Buffer.from(doneBytes).toString());

describe('every stream of events', () => {
  test('keeps the rules, whatever the parts and however they interleave', () => {
    fc.assert(
      fc.property(anyAnswer, (parts) => {
        expect(received(parts)).toHaveLength(eventsOf(parts).length);
      }),
      { numRuns: 500 },
    );
  });

  test('ends with a snapshot that is the body of the same answer that is not streamed', () => {
    fc.assert(
      fc.property(anyAnswer, (parts) => {
        const streamed = (received(parts).at(-1)?.['response'] ?? {}) as Loose;
        const whole: unknown = JSON.parse(JSON.stringify(terminalOf(together(parts))));
        expect(whole).toEqual(streamed);
      }),
    );
  });
});

/** Returns the same answer with one delta for each text and each summary. */
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
