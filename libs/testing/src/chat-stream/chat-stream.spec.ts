import { deepEqual, equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { checkedChunks, readChunks } from './checked-chunks.ts';
import { BrokenChatRule, chatRules } from './rules.ts';
import {
  everything,
  goodChunks,
  isBroken,
  type LooseChunk,
  stories,
  wireChunk,
} from './testing/good-chunks.ts';
import { mutations } from './testing/mutations.ts';

const mark = 'data: [DONE]\n\n';
const frameOf = (chunk: LooseChunk) => `data: ${JSON.stringify(wireChunk(chunk))}\n\n`;
const wire = (chunks: readonly LooseChunk[]) => chunks.map(frameOf).join('') + mark;

/** The rule that a text breaks; undefined: none. */
function broken(text: string, generationId = 'gen-1'): string | undefined {
  try {
    readChunks(text, generationId);
    return undefined;
  } catch (error) {
    if (error instanceof BrokenChatRule) return error.rule;
    throw error;
  }
}

async function* inPieces(pieces: readonly Uint8Array[]) {
  yield* pieces;
}

const calm = { ...everything, sayings: everything.sayings.slice(0, 2) };
const samples = (['done', 'length', 'error'] as const).flatMap((ending) =>
  [everything, calm].flatMap((story) =>
    [true, false].map((isDebugged) => goodChunks({ ...story, ending, isDebugged })),
  ),
);

describe('a stream that keeps the rules', () => {
  test('is read as it is, whatever it tells', () => {
    fc.assert(
      fc.property(stories, (story) => {
        const chunks = goodChunks(story);
        const told = chunks.filter((chunk) => !isBroken(chunk));
        deepEqual(readChunks(wire(chunks), 'gen-1'), told.map(wireChunk));
      }),
      { numRuns: 500 },
    );
  });

  test('may hold comments, and be cut into bytes anywhere', async () => {
    const text = wire(goodChunks(everything));
    const good = Buffer.from(text.replaceAll('\n\n', '\n\n: SERVICE PROCESSING\n\n'));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(good.length), { maxLength: 5 }), async (cuts) => {
        const places = [0, ...cuts.toSorted((a, b) => a - b), good.length];
        const pieces = places.slice(1).map((end, index) => good.subarray(places[index], end));
        const passed = await Array.fromAsync(checkedChunks(inPieces(pieces)));
        deepEqual(Buffer.concat(passed), good);
      }),
      { numRuns: 50 },
    );
  });
});

describe('a stream that breaks a rule is refused by the name of that rule', () => {
  test.each(mutations)('$rule: $name', ({ rule, apply }) => {
    const mutants = samples.flatMap((chunks) =>
      [0, 1, 5].flatMap((pick) => {
        const mutant = apply(chunks, pick);
        return mutant ? [mutant] : [];
      }),
    );
    ok(mutants.length > 0, 'nothing was mutated');
    for (const mutant of mutants) equal(broken(wire(mutant)), rule);
  });

  test('whatever stream it is', () => {
    fc.assert(
      fc.property(stories, fc.constantFrom(...mutations), fc.nat(), (story, mutation, pick) => {
        const mutant = mutation.apply(goodChunks(story), pick);
        if (mutant) equal(broken(wire(mutant)), mutation.rule);
      }),
      { numRuns: 3_000 },
    );
  });

  const chunks = goodChunks(everything);
  const text = wire(chunks);
  const [first] = chunks;
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
    ['finish-once', 'a mark in place of the end', wire(chunks.slice(0, -1))],
  ])('%s: %s', (rule, _what, mutant) => {
    equal(broken(mutant), rule);
  });

  test('frames: bytes that are no UTF-8', async () => {
    const outcome = await checkedChunks(inPieces([Buffer.from([0xff])]))
      .next()
      .catch((error: unknown) => error);
    equal((outcome as BrokenChatRule).rule, 'frames');
  });
});

test('every rule is broken by something here', () => {
  const broken = new Set<string>(['frames', 'done-mark', ...mutations.map(({ rule }) => rule)]);
  deepEqual(
    Object.keys(chatRules).filter((name) => !broken.has(name)),
    [],
  );
});

test('a stream that ends without its end is refused, unless its reader had left', async () => {
  const cut = [Buffer.from(frameOf(goodChunks(everything)[0] ?? { head: {} }))];
  const outcome = await Array.fromAsync(checkedChunks(inPieces(cut))).catch(
    (error: unknown) => error,
  );
  equal((outcome as BrokenChatRule).rule, 'finish-once');
  const left = checkedChunks(inPieces(cut), { isLeft: () => true });
  equal((await Array.fromAsync(left)).length, 1);
});
