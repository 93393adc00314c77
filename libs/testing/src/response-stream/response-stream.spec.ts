import { deepEqual, equal, ok, throws } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { testBrokenRules } from '../stream-mutations/broken-rules.ts';
import { mutate } from '../stream-mutations/mutate.ts';
import type { Event } from '../stream-mutations/mutation.ts';
import { goodStreams, mutationsOf } from '../stream-mutations/recorded.ts';
import { checkedBody, readStream } from './checked-body.ts';
import type { StreamExpectation } from './event-checker.ts';
import { BrokenRule } from '../checked-stream/broken-rule.ts';
import { streamRules } from './rules.ts';

const streams = goodStreams('response');
const [{ events: good }] = streams;
const mark = 'data: [DONE]\n\n';
const frameOf = (event: Event) =>
  `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`;
const wire = (events: readonly Event[]) => events.map(frameOf).join('') + mark;

/** The rule that a text breaks; undefined: none. */
function broken(text: string, expectation?: StreamExpectation): string | undefined {
  try {
    readStream(text, expectation);
    return undefined;
  } catch (error) {
    if (error instanceof BrokenRule) return error.rule;
    throw error;
  }
}

describe('a stream that keeps the rules', () => {
  test.each(streams)('is read as it is: $name', ({ events }) => {
    deepEqual(readStream(wire(events)), events);
  });

  test('may hold comments, and be cut into bytes anywhere', async () => {
    const text = wire(good)
      .replaceAll('"f"', '"ä"')
      .replaceAll('"g"', '"🙂"')
      .replaceAll('"fg"', '"ä🙂"');
    const bytes = Buffer.from(text.replaceAll('\n\n', '\n\n: SERVICE PROCESSING\n\n'));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 5 }), async (cuts) => {
        const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
        const pieces = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
        const passed: Uint8Array[] = [];
        for await (const piece of checkedBody(inPieces(pieces))) passed.push(piece);
        deepEqual(Buffer.concat(passed), bytes);
      }),
      { numRuns: 50 },
    );
  });
});

async function* inPieces(pieces: readonly Uint8Array[]) {
  yield* pieces;
}

const elsewhere = ['frames', 'done-mark', 'generation-id'];
testBrokenRules('response', streamRules, (events) => broken(wire(events)), elsewhere);

describe('the text of a stream', () => {
  const text = wire(good);
  const [first, second] = good;
  ok(first && second);

  test.each<[keyof typeof streamRules, string, string]>([
    ['frames', 'an event without its line', text.replace(/^event: .*\n/, '')],
    ['frames', 'another name than the type', text.replace('event: response.created', 'event: x')],
    [
      'frames',
      'data over two lines',
      text.replace('"sequence_number":0', '\ndata: "sequence_number":0'),
    ],
    ['frames', 'data that is no JSON', text.replace('data: {', 'data: {,')],
    ['frames', 'an end in the middle of a frame', text.slice(0, -1)],
    ['frames', 'line breaks of another kind', text.replaceAll('\n', '\r\n')],
    ['done-mark', 'none', text.slice(0, -mark.length)],
    ['done-mark', 'two', text + mark],
    ['terminal', 'a mark in place of it', text.replace(frameOf(second), mark + frameOf(second))],
    ['done-mark', 'an event after it', `${text}${frameOf(second)}`],
  ])('%s: %s', (rule, _what, mutant) => {
    equal(broken(mutant), rule);
  });

  test('frames: bytes that are no UTF-8', async () => {
    const body = checkedBody(inPieces([Buffer.from([0xff])]));
    const outcome = await body.next().catch((error: unknown) => error);
    equal((outcome as BrokenRule).rule, 'frames');
  });

  test('generation-id: the id of another generation in the header', () => {
    equal(broken(text, { generationId: 'gen-2' }), 'generation-id');
    equal(broken(text, { generationId: 'gen-1' }), undefined);
  });

  test('an error event may end a stream where that is expected, and nothing comes after it', () => {
    const mutation = mutationsOf('response').find(({ rule }) => rule === 'error-event');
    const events = (mutation && mutate(good, mutation, 0)) ?? [];
    equal(broken(wire(events), { mayBreak: true }), undefined);
    const twice = [...events, { ...events.at(-1), sequence_number: events.length }];
    equal(broken(wire(twice), { mayBreak: true }), 'terminal');
  });
});

describe('a body that is checked as it passes', () => {
  const bytes = Buffer.from(wire(good));

  test('need not end when its reader leaves, who is felt by its writer', async () => {
    let isLeft = false;
    async function* endless() {
      try {
        yield bytes.subarray(0, 100);
        yield bytes.subarray(100, 200);
      } finally {
        isLeft = true;
      }
    }
    for await (const piece of checkedBody(endless())) {
      equal(piece.length, 100);
      break;
    }
    ok(isLeft);
  });

  test('that breaks off with an error is told as that error', async () => {
    async function* broken() {
      yield bytes.subarray(0, 100);
      throw new Error('reset');
    }
    const body = checkedBody(broken());
    await body.next();
    const outcome = await body.next().catch((error: unknown) => error);
    equal((outcome as Error).message, 'reset');
  });

  test('that ends without its end is refused, unless its client had left', async () => {
    const cut = [bytes.subarray(0, bytes.length - mark.length)];
    const body = checkedBody(inPieces(cut));
    await body.next();
    const outcome = await body.next().catch((error: unknown) => error);
    equal((outcome as BrokenRule).rule, 'done-mark');
    const left = checkedBody(inPieces(cut), { isLeft: () => true });
    equal((await Array.fromAsync(left)).length, 1);
    const text = Buffer.concat(cut).toString();
    throws(() => readStream(text), { rule: 'done-mark' });
    ok(readStream(text, { isLeft: () => true }).length > 0);
  });
});
