import { doesNotThrow, equal, ok, throws } from 'node:assert/strict';
import {
  type Event,
  mutate,
  mutationsOf,
  type StreamFormat,
} from '@sluice/testing/stream-mutations';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { checkStream, goldenStreams } from './testing/golden-streams.ts';

const streams = goldenStreams();
const numRuns = 2_000;

type Change = (events: readonly Event[], place: number) => readonly Event[];
const changes: Readonly<Record<'drop' | 'repeat' | 'swap' | 'cut', Change>> = {
  drop: (events, place) => events.toSpliced(place, 1),
  repeat: (events, place) => events.toSpliced(place, 0, ...events.slice(place, place + 1)),
  swap: (events, place) =>
    events.toSpliced(place, 2, ...events.slice(place, place + 2).toReversed()),
  cut: (events, place) => events.slice(0, place),
};
const changeNames = Object.keys(changes) as readonly (keyof typeof changes)[];

/** True for an event that a good stream may lack or have twice: nothing later says what was in it. */
function isFree(format: StreamFormat, event: Event): boolean {
  const type = String(event['type']);
  if (format === 'response')
    return (
      type === 'response.debug' ||
      /_call\.(?:in_progress|generating|searching|completed)$/.test(type)
    );
  if (format === 'messages') return /^(?:ping|content_block_(?:delta|stop))$/.test(type);
  const { choices } = event as { readonly choices?: readonly Event[] };
  if (!choices) return false;
  const [{ delta = {}, finish_reason: reason = null } = {}] = choices;
  return reason === null && !Object.hasOwn(delta as object, 'role');
}

/** True for neighbors of a response that may come in any order: they are of two items, or equal. */
function areFree(event: Event, next: Event): boolean {
  const isNoted = [event, next].some(({ type }) => String(type).endsWith('annotation.added'));
  const { sequence_number: _one, ...one } = event;
  const { sequence_number: _other, ...other } = next;
  const isSame = JSON.stringify(one) === JSON.stringify(other);
  return isNoted || isSame || event['output_index'] !== next['output_index'];
}

describe('the streams of the goldens', () => {
  test('keep the rules of their format', () => {
    ok(streams.length > 200, String(streams.length));
    for (const stream of streams) doesNotThrow(() => checkStream(stream), stream.name);
  });

  test('are refused with each mutation of their format', () => {
    let refused = 0;
    const mutants = fc
      .constantFrom(...streams)
      .chain((stream) =>
        fc.tuple(fc.constant(stream), fc.constantFrom(...mutationsOf(stream.format)), fc.nat()),
      );
    fc.assert(
      fc.property(mutants, ([stream, mutation, pick]) => {
        const events = mutate(stream.events, mutation, pick);
        if (!events) return;
        throws(() => checkStream({ ...stream, events }), mutation.name);
        refused += 1;
      }),
      { numRuns },
    );
    ok(refused > numRuns / 4, String(refused));
  });

  test.each(changeNames)('are refused after this change of any event: %s', (name) => {
    let refused = 0;
    for (const stream of streams)
      for (const [place, event] of stream.events.entries()) {
        const { format, events } = stream;
        const next = events[place + 1];
        const touched = name === 'swap' ? [event, next ?? event] : [event];
        if (name !== 'cut' && touched.some((one) => isFree(format, one))) continue;
        if (name === 'swap' && (!next || (format === 'response' && areFree(event, next)))) continue;
        const changed = numbered(format, changes[name](events, place));
        throws(() => checkStream({ ...stream, events: changed }), `${stream.name} ${place}`);
        refused += 1;
      }
    ok(refused > 500, String(refused));
  });

  test('are accepted with their texts in other pieces', () => {
    let split = 0;
    fc.assert(
      fc.property(fc.constantFrom(...streams), fc.nat(), fc.nat(), (stream, pick, at) => {
        const places = stream.events.flatMap((event, place) =>
          piecesOf(event, at) ? [place] : [],
        );
        const place = places[pick % Math.max(places.length, 1)];
        const event = place === undefined ? undefined : stream.events[place];
        const pieces = event && piecesOf(event, at);
        if (place === undefined || !pieces) return;
        const events = stream.events.toSpliced(place, 1, ...pieces);
        doesNotThrow(
          () => checkStream({ ...stream, events: numbered(stream.format, events) }),
          stream.name,
        );
        split += 1;
      }),
      { numRuns: 1_000 },
    );
    ok(split > 100, String(split));
  });
});

/** Numbers the events of a response again. */
function numbered(format: StreamFormat, events: readonly Event[]): readonly Event[] {
  if (format !== 'response') return events;
  return events.map((event, sequence_number) => ({ ...event, sequence_number }));
}

/** Returns an event whose delta is a text as two. undefined: it has none. */
function piecesOf(event: Event, at: number): readonly Event[] | undefined {
  const { type, delta } = event;
  if (typeof delta !== 'string' || !String(type).endsWith('.delta')) return undefined;
  const characters = Array.from(delta);
  const place = at % (characters.length + 1);
  const [one, other] = [characters.slice(0, place).join(''), characters.slice(place).join('')];
  equal(one + other, delta);
  return [
    { ...event, delta: one },
    { ...event, delta: other, ...('logprobs' in event && { logprobs: [] }) },
  ];
}
