import { deepEqual, equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { testBrokenRules } from '../stream-mutations/broken-rules.ts';
import type { Event } from '../stream-mutations/mutation.ts';
import { goodStreams } from '../stream-mutations/recorded.ts';
import { checkedMessages, readMessages } from './checked-messages.ts';
import { BrokenRule } from '../checked-stream/broken-rule.ts';
import { messageRules } from './rules.ts';

const streams = goodStreams('messages');
const [{ events: good }] = streams;
const frameOf = (event: Event) =>
  `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`;
const wire = (events: readonly Event[]) => events.map(frameOf).join('');

/** The rule that a text breaks; undefined: none. */
function broken(text: string, generationId = 'gen-1'): string | undefined {
  try {
    readMessages(text, generationId);
    return undefined;
  } catch (error) {
    if (error instanceof BrokenRule) return error.rule;
    throw error;
  }
}

async function* inPieces(pieces: readonly Uint8Array[]) {
  yield* pieces;
}

describe('a stream that keeps the rules', () => {
  test.each(streams)('is read as it is: $name', ({ events }) => {
    deepEqual(readMessages(wire(events), 'gen-1'), events);
  });

  test('may hold comments and pings, and be cut into bytes anywhere', async () => {
    const text = wire(good);
    const bytes = Buffer.from(frameOf({ type: 'ping' }) + text.replaceAll('\n\n', '\n\n: a\n\n'));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 5 }), async (cuts) => {
        const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
        const pieces = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
        const passed = await Array.fromAsync(checkedMessages(inPieces(pieces)));
        deepEqual(Buffer.concat(passed), bytes);
      }),
      { numRuns: 50 },
    );
  });

  test('may break with an error in the middle of a block, or before its start', () => {
    const events = streams.at(-1)?.events ?? [];
    const error = events.at(-1);
    ok(error?.['type'] === 'error');
    equal(broken(wire([...events.slice(0, 4), error])), undefined);
    equal(broken(wire([error])), undefined);
  });
});

testBrokenRules('messages', messageRules, (events) => broken(wire(events)), ['frames']);

describe('the text of a stream', () => {
  const text = wire(good);
  test.each<[string, string]>([
    ['an event without its line', text.replace(/^event: .*\n/, '')],
    ['another name than the type', text.replace('event: message_start', 'event: x')],
    ['data over two lines', text.replace('"type":"message_start"', '\ndata: "type":1')],
    ['data that is no JSON', text.replace('data: {', 'data: {,')],
    ['an end in the middle of a frame', text.slice(0, -1)],
    ['line breaks of another kind', text.replaceAll('\n', '\r\n')],
    ['the mark of another format', `${text}data: [DONE]\n\n`],
  ])('frames: %s', (_what, mutant) => {
    equal(broken(mutant), 'frames');
  });

  test('frames: bytes that are no UTF-8', async () => {
    const outcome = await checkedMessages(inPieces([Buffer.from([0xff])]))
      .next()
      .catch((error: unknown) => error);
    equal((outcome as BrokenRule).rule, 'frames');
  });
});

test('a stream that ends without its end is refused, unless its reader had left', async () => {
  const cut = [Buffer.from(wire(good.slice(0, 4)))];
  const outcome = await Array.fromAsync(checkedMessages(inPieces(cut))).catch(
    (error: unknown) => error,
  );
  equal((outcome as BrokenRule).rule, 'end-once');
  const left = checkedMessages(inPieces(cut), { isLeft: () => true });
  equal((await Array.fromAsync(left)).length, 1);
});
