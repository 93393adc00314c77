import { deepEqual, equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { testBrokenRules } from '../stream-mutations/broken-rules.ts';
import type { Event } from '../stream-mutations/mutation.ts';
import { goodStreams } from '../stream-mutations/recorded.ts';
import { checkedChunks, readChunks } from './checked-chunks.ts';
import { BrokenRule } from '../checked-stream/broken-rule.ts';
import { chatRules } from './rules.ts';

const streams = goodStreams('chat');
const [{ events: good }] = streams;
const mark = 'data: [DONE]\n\n';
const frameOf = (chunk: Event) => `data: ${JSON.stringify(chunk)}\n\n`;
const wire = (chunks: readonly Event[]) => chunks.map(frameOf).join('') + mark;

/** The rule that a text breaks; undefined: none. */
function broken(text: string, generationId = 'gen-1'): string | undefined {
  try {
    readChunks(text, generationId);
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
    const chunks = events.filter((event) => 'id' in event);
    deepEqual(readChunks(wire(events), 'gen-1'), chunks);
  });

  test('may hold comments, and be cut into bytes anywhere', async () => {
    const text = wire(good);
    const bytes = Buffer.from(text.replaceAll('\n\n', '\n\n: SERVICE PROCESSING\n\n'));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 5 }), async (cuts) => {
        const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
        const pieces = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
        const passed = await Array.fromAsync(checkedChunks(inPieces(pieces)));
        deepEqual(Buffer.concat(passed), bytes);
      }),
      { numRuns: 50 },
    );
  });
});

testBrokenRules('chat', chatRules, (chunks) => broken(wire(chunks)), ['frames', 'done-mark']);

describe('the text of a stream', () => {
  const text = wire(good);
  const [first] = good;
  ok(first);
  test.each<[keyof typeof chatRules, string, string]>([
    ['frames', 'an event line', `event: x\n${text}`],
    ['frames', 'data over two lines', text.replace('"object"', '\ndata: "object"')],
    ['frames', 'data that is no JSON', text.replace('data: {', 'data: {,')],
    ['frames', 'an end in the middle of a frame', text.slice(0, -1)],
    ['frames', 'line breaks of another kind', text.replaceAll('\n', '\r\n')],
    ['done-mark', 'none', text.slice(0, -mark.length)],
    ['done-mark', 'two', text + mark],
    ['done-mark', 'a chunk after it', text + frameOf(first)],
    ['finish-once', 'a mark in place of the end', wire(good.slice(0, -1))],
  ])('%s: %s', (rule, _what, mutant) => {
    equal(broken(mutant), rule);
  });

  test('frames: bytes that are no UTF-8', async () => {
    const outcome = await checkedChunks(inPieces([Buffer.from([0xff])]))
      .next()
      .catch((error: unknown) => error);
    equal((outcome as BrokenRule).rule, 'frames');
  });
});

test('a stream that ends without its end is refused, unless its reader had left', async () => {
  const cut = [Buffer.from(frameOf(good[0] ?? {}))];
  const outcome = await Array.fromAsync(checkedChunks(inPieces(cut))).catch(
    (error: unknown) => error,
  );
  equal((outcome as BrokenRule).rule, 'finish-once');
  const left = checkedChunks(inPieces(cut), { isLeft: () => true });
  equal((await Array.fromAsync(left)).length, 1);
});
