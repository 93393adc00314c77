import { deepEqual, equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { checkedMessages, readMessages } from './checked-messages.ts';
import { BrokenMessageRule, messageRules } from './rules.ts';
import { type Event, everything, goodStream, stories } from './testing/good-stream.ts';
import { mutations } from './testing/mutations.ts';

const frameOf = (event: Event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
const wire = (events: readonly Event[]) => events.map(frameOf).join('');

/** The rule that a text breaks; undefined: none. */
function broken(text: string, generationId = 'gen-1'): string | undefined {
  try {
    readMessages(text, generationId);
    return undefined;
  } catch (error) {
    if (error instanceof BrokenMessageRule) return error.rule;
    throw error;
  }
}

async function* inPieces(pieces: readonly Uint8Array[]) {
  yield* pieces;
}

const calm = { ...everything, blocks: everything.blocks.filter(({ kind }) => kind === 'text') };
const samples = [
  goodStream(everything),
  goodStream(calm),
  goodStream({ ...everything, isCut: true }),
  goodStream({ ...everything, fails: true }),
];

describe('a stream that keeps the rules', () => {
  test('is read as it is, whatever it tells', () => {
    fc.assert(
      fc.property(stories, (story) => {
        const events = goodStream(story);
        deepEqual(readMessages(wire(events), 'gen-1'), events);
      }),
      { numRuns: 500 },
    );
  });

  test('may hold comments and pings, and be cut into bytes anywhere', async () => {
    const text = wire(goodStream(everything));
    const good = Buffer.from(frameOf({ type: 'ping' }) + text.replaceAll('\n\n', '\n\n: a\n\n'));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(good.length), { maxLength: 5 }), async (cuts) => {
        const places = [0, ...cuts.toSorted((a, b) => a - b), good.length];
        const pieces = places.slice(1).map((end, index) => good.subarray(places[index], end));
        const passed = await Array.fromAsync(checkedMessages(inPieces(pieces)));
        deepEqual(Buffer.concat(passed), good);
      }),
      { numRuns: 50 },
    );
  });

  test('may break with an error in the middle of a block, or before its start', () => {
    const events = goodStream({ ...everything, fails: true });
    const error = events.at(-1);
    ok(error);
    equal(broken(wire([...events.slice(0, 4), error])), undefined);
    equal(broken(wire([error])), undefined);
  });
});

describe('a stream that breaks a rule is refused by the name of that rule', () => {
  test.each(mutations)('$rule: $name', ({ rule, apply }) => {
    const mutants = samples.flatMap((events) =>
      [0, 1, 5].flatMap((pick) => {
        const mutant = apply(events, pick);
        return mutant ? [mutant] : [];
      }),
    );
    ok(mutants.length > 0, 'nothing was mutated');
    for (const mutant of mutants) equal(broken(wire(mutant)), rule);
  });

  test('whatever stream it is', () => {
    fc.assert(
      fc.property(stories, fc.constantFrom(...mutations), fc.nat(), (story, mutation, pick) => {
        const mutant = mutation.apply(goodStream(story), pick);
        if (mutant) equal(broken(wire(mutant)), mutation.rule);
      }),
      { numRuns: 3_000 },
    );
  });

  const text = wire(goodStream(everything));
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
    equal((outcome as BrokenMessageRule).rule, 'frames');
  });
});

test('every rule is broken by something here', () => {
  const broken = new Set<string>(['frames', ...mutations.map(({ rule }) => rule)]);
  deepEqual(
    Object.keys(messageRules).filter((name) => !broken.has(name)),
    [],
  );
});

test('a stream that ends without its end is refused, unless its reader had left', async () => {
  const cut = [Buffer.from(wire(goodStream(everything).slice(0, 4)))];
  const outcome = await Array.fromAsync(checkedMessages(inPieces(cut))).catch(
    (error: unknown) => error,
  );
  equal((outcome as BrokenMessageRule).rule, 'end-once');
  const left = checkedMessages(inPieces(cut), { isLeft: () => true });
  equal((await Array.fromAsync(left)).length, 1);
});
