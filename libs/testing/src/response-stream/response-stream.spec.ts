import { deepEqual, equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { checkedBody, readStream } from './checked-body.ts';
import type { StreamExpectation } from './event-checker.ts';
import { BrokenRule, streamRules } from './rules.ts';
import { everything, goodStream, type Event, message, stories } from './testing/good-stream.ts';
import { mutations } from './testing/mutations.ts';

const mark = 'data: [DONE]\n\n';
const frameOf = (event: Event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
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

const endings = ['completed', 'incomplete', 'failed'] as const;
const samples = endings.flatMap((ending) =>
  [0, 2].map((debugged) => goodStream({ ...everything, ending, debugged })),
);

describe('a stream that keeps the rules', () => {
  test('is read as it is, whatever it tells', () => {
    fc.assert(
      fc.property(stories, (story) => {
        const events = goodStream(story);
        deepEqual(readStream(wire(events)), JSON.parse(JSON.stringify(events)));
      }),
      { numRuns: 500 },
    );
  });

  test('may hold comments, and be cut into bytes anywhere', async () => {
    const said = message('output_text', [['ä', '🙂']]);
    const text = wire(goodStream({ ...everything, scripts: [said] }));
    const good = Buffer.from(text.replaceAll('\n\n', '\n\n: SERVICE PROCESSING\n\n'));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(good.length), { maxLength: 5 }), async (cuts) => {
        const places = [0, ...cuts.toSorted((a, b) => a - b), good.length];
        const pieces = places.slice(1).map((end, index) => good.subarray(places[index], end));
        const passed: Uint8Array[] = [];
        for await (const piece of checkedBody(inPieces(pieces))) passed.push(piece);
        deepEqual(Buffer.concat(passed), good);
      }),
      { numRuns: 50 },
    );
  });
});

async function* inPieces(pieces: readonly Uint8Array[]) {
  yield* pieces;
}

describe('a stream that breaks a rule is refused by the name of that rule', () => {
  test.each(mutations)('$rule: $name', ({ rule, apply }) => {
    const mutants = samples.flatMap((events) =>
      [0, 1, 5].flatMap((pick) => apply(events, pick) ?? ([] satisfies readonly Event[])),
    );
    ok(mutants.length > 0, 'nothing was mutated');
    for (const events of samples)
      for (const pick of [0, 1, 5]) {
        const mutant = apply(events, pick);
        if (mutant) equal(broken(wire(mutant)), rule);
      }
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

  const good = goodStream(everything);
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
    const mutation = mutations.find(({ rule }) => rule === 'error-event');
    const events = mutation?.apply(good, 0) ?? [];
    equal(broken(wire(events), { mayBreak: true }), undefined);
    const twice = [...events, { ...events.at(-1), sequence_number: events.length } as Event];
    equal(broken(wire(twice), { mayBreak: true }), 'terminal');
  });
});

test('every rule is broken by something here', () => {
  const elsewhere = ['frames', 'done-mark', 'generation-id'];
  const broken = new Set<string>([...mutations.map(({ rule }) => rule), ...elsewhere]);
  deepEqual(
    Object.keys(streamRules).filter((name) => !broken.has(name)),
    [],
  );
});

describe('a body that is checked as it passes', () => {
  const bytes = Buffer.from(wire(goodStream(everything)));

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
  });
});
