import { deepEqual, equal, ok } from 'node:assert/strict';
import type { AnswerPart, ReadPage } from '@sluice/inference';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { Citations } from './citations.ts';

const sources: readonly ReadPage[] = [
  { url: 'https://a.example/page', title: 'A', content: 'a'.repeat(1_000) },
  { url: 'https://b.example/wiki/Mercury_(planet)', title: 'B', content: '' },
  { url: 'https://c.example/', title: 'C', content: 'c' },
];

function opened(): Citations {
  const citations = new Citations();
  citations.add(sources);
  return citations;
}

const partsOf = (pieces: readonly string[]): readonly AnswerPart[] => [
  { type: 'text-start', part: 3 },
  ...pieces.map((delta) => ({ type: 'text-delta', part: 3, delta }) as const),
  { type: 'text-end', part: 3 },
];

/** Returns what is cited: the text of each range, and its address. */
function cited(...pieces: readonly string[]): readonly (readonly [string, unknown])[] {
  const text = pieces.join('');
  return opened()
    .annotate(partsOf(pieces))
    .flatMap((part) => {
      if (part.type !== 'text-annotation') return [];
      const { start_index: start, end_index: end, url } = part.annotation;
      return [[text.slice(Number(start), Number(end)), url] as const];
    });
}

const a = 'https://a.example/page';
const b = 'https://b.example/wiki/Mercury_(planet)';
const c = 'https://c.example/';

describe('an answer cites', () => {
  test.each<[string, string, readonly (readonly [string, string])[]]>([
    ['a bare address', `See ${a} for more`, [[a, a]]],
    ['an address at the end of a sentence', `See ${a}.`, [[a, a]]],
    ['a Markdown link', `See [the page](${a}).`, [[`[the page](${a})`, a]]],
    ['a link with brackets in its label', `x [[1]](${a}) y`, [[`[[1]](${a})`, a]]],
    ['a link in parentheses', `it is so ([a.example](${a})).`, [[`[a.example](${a})`, a]]],
    ['an address in angle brackets', `<${a}>`, [[a, a]]],
    ['an address in parentheses', `(${a})`, [[a, a]]],
    [
      'an address with parentheses',
      `(see ${b}), [x](${b})`,
      [
        [b, b],
        [`[x](${b})`, b],
      ],
    ],
    ['a link with a title', `[x](${a} "The page")`, [[a, a]]],
    [
      'two links without a space',
      `[1](${a})[2](${c})`,
      [
        [`[1](${a})`, a],
        [`[2](${c})`, c],
      ],
    ],
    ['an address without its slash', 'at https://c.example now', [['https://c.example', c]]],
    ['an address with a fragment', `at ${a}#part now`, [[`${a}#part`, a]]],
    ['an address in bold', `**${a}**`, [[a, a]]],
    ['an address after a letter of four bytes', `😀 ${a}`, [[a, a]]],
    ['an address in another script', `見る：${a}。次`, [[a, a]]],
    [
      'a page twice',
      `${a} ${a}`,
      [
        [a, a],
        [a, a],
      ],
    ],
    ['no page that no tool has read', 'https://other.example/ and https://a.example/pages', []],
    ['no half address', 'https:// http://', []],
    ['nothing in plain words', 'a.example/page', []],
  ])('%s', (_, text, expected) => {
    deepEqual(cited(text), expected);
    // The same in single characters.
    deepEqual(cited(...text.split('')), expected);
  });

  test('the same wherever the text is cut', () => {
    const piece = fc.constantFrom(
      a,
      b,
      c,
      ' ',
      '[x](',
      ')',
      '[',
      ']',
      '.',
      '\n',
      'https://',
      'word',
      '😀',
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 30 }),
        fc.array(fc.nat(), { maxLength: 8 }),
        (pieces, cuts) => {
          const text = pieces.join('');
          const places = [0, ...cuts.map((cut) => cut % (text.length + 1)), text.length].toSorted(
            (one, other) => one - other,
          );
          const parted = places.slice(1).map((place, at) => text.slice(places[at], place));
          deepEqual(cited(...parted), cited(text));
        },
      ),
    );
  });

  test('with the title, and an excerpt if there is one', () => {
    const [, , first] = opened().annotate(partsOf([`${a} `]));
    deepEqual(first, {
      type: 'text-annotation',
      part: 3,
      annotation: {
        type: 'url_citation',
        url: a,
        title: 'A',
        start_index: 0,
        end_index: a.length,
        content: 'a'.repeat(300),
      },
    });
    const [, , second] = opened().annotate(partsOf([`${b} `]));
    ok(second?.type === 'text-annotation' && !('content' in second.annotation));
  });

  test('before the part ends, and not in a part that is cut short', () => {
    const parts = opened().annotate(partsOf([a]));
    deepEqual(
      parts.map(({ type }) => type),
      ['text-start', 'text-delta', 'text-annotation', 'text-end'],
    );
    equal(opened().annotate(partsOf([a]).slice(0, 2)).length, 2);
  });

  test('nothing in a text that was replaced', () => {
    const parts = opened().annotate([
      { type: 'text-start', part: 0 },
      { type: 'text-delta', part: 0, delta: 'abc' },
      { type: 'correction', part: 0, difference: 'contrary', text: 'x' },
      { type: 'text-delta', part: 0, delta: ` ${a} ` },
      { type: 'text-end', part: 0 },
    ]);
    ok(!parts.some(({ type }) => type === 'text-annotation'));
  });
});

test('an answer without sources passes as it is', () => {
  const parts = partsOf([a]);
  equal(new Citations().annotate(parts), parts);
});

test('a long text is read within a bound of time and memory', () => {
  const citations = opened();
  let annotations = 0;
  citations.annotate([{ type: 'text-start', part: 0 }]);
  // An address that never ends, brackets that never close, and many addresses.
  for (const delta of [
    `https://${'x'.repeat(2_000_000)}`,
    '['.repeat(500_000),
    `${a} `.repeat(20_000),
  ])
    annotations += citations
      .annotate([{ type: 'text-delta', part: 0, delta }])
      .filter(({ type }) => type === 'text-annotation').length;
  equal(annotations, 1_000);
});
