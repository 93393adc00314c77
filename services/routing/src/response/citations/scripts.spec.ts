import { deepEqual, equal, ok } from 'node:assert/strict';
import type { AnswerPart } from '@sluice/inference';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { Citations } from './citations.ts';

// The places of citations are counted in UTF-16 units, in texts of every script.

const addresses = [
  'https://a.example/page',
  'https://b.example/wiki/Mercury_(planet)',
  'https://d.example/%E6%9C%88?q=%F0%9F%98%80',
  'https://xn--bcher-kva.example/',
];

/** Texts of scripts of all kinds: combining marks, right to left, surrogates, joined emoji, flags, Hangul by parts. */
const samples = [
  'e\u0301ta\u0308t',
  'नमस्ते दुनिया',
  'ภาษาไทย',
  'مَرْحَبًا',
  'שָׁלוֹם',
  '\u1112\u1161\u11ab글',
  '漢字かな',
  '𠮷野家',
  '𐍈𐌰𝕏',
  '👩‍👩‍👧‍👦🏽',
  '🇵🇹',
  'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘!',
  '\u202eabc\u202c',
  '\u{e0001}\u{10ffff}',
];

/** Words between citations: no brackets, which would belong to a link, and no beginning of an address. */
const words = fc
  .oneof(
    fc.constantFrom(...samples),
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.string({ unit: 'binary', maxLength: 6 }),
  )
  .map((text) => text.toWellFormed().replaceAll(/[[\]()<>]|http/gu, '·'));

const citation = fc.record({
  address: fc.constantFrom(...addresses),
  label: fc.option(words),
});

const text = fc.array(fc.record({ before: words, cited: citation }), {
  minLength: 1,
  maxLength: 6,
});

interface Expected {
  readonly text: string;
  readonly citations: readonly { readonly url: string; readonly shown: string }[];
}

function written(
  pieces: readonly { before: string; cited: { address: string; label: string | null } }[],
): Expected {
  let whole = '';
  const citations = [];
  for (const { before, cited } of pieces) {
    const shown = cited.label === null ? cited.address : `[${cited.label}](${cited.address})`;
    whole += `${before} ${shown} `;
    citations.push({ url: cited.address, shown });
  }
  return { text: whole, citations };
}

function annotated(pieces: readonly string[]) {
  const citations = new Citations();
  citations.add(addresses.map((url) => ({ url, title: url, content: '👩‍👩‍👧‍👦'.repeat(60) })));
  const parts: readonly AnswerPart[] = [
    { type: 'text-start', part: 0 },
    ...pieces.map((delta): AnswerPart => ({ type: 'text-delta', part: 0, delta })),
    { type: 'text-end', part: 0 },
  ];
  // Each part comes alone, as it does in a stream.
  return parts
    .flatMap((part) => citations.annotate([part]))
    .flatMap((part) => (part.type === 'text-annotation' ? [part.annotation] : []));
}

describe('the places of citations', () => {
  test('are those of the addresses, whatever the script, whole and cut anywhere', () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat(), { maxLength: 12 }), (pieces, cuts) => {
        const { text: whole, citations } = written(pieces);
        // A cut may fall between two surrogates, or before a combining mark.
        const places = [0, ...cuts.map((cut) => cut % (whole.length + 1)), whole.length].toSorted(
          (one, other) => one - other,
        );
        const parted = places.slice(1).map((place, at) => whole.slice(places[at], place));
        for (const sent of [[whole], parted, Array.from(whole), whole.split('')])
          deepEqual(
            annotated(sent).map(({ start_index: start, end_index: end, url }) => ({
              url,
              shown: whole.slice(Number(start), Number(end)),
            })),
            citations,
          );
      }),
      { numRuns: 300 },
    );
  });

  test('are in order, do not overlap, and excerpts are well formed', () => {
    fc.assert(
      fc.property(text, (pieces) => {
        let last = 0;
        for (const { start_index: start, end_index: end, content } of annotated([
          written(pieces).text,
        ])) {
          ok(last <= Number(start) && Number(start) < Number(end));
          ok(String(content).isWellFormed());
          last = Number(end);
        }
      }),
    );
  });

  test('are right behind a text that is longer than what is kept of it', () => {
    const before = '👩‍👩‍👧‍👦e\u0301 '.repeat(2_000);
    const [address = ''] = addresses;
    const [found] = annotated(Array.from(`${before}${address} end`));
    deepEqual(
      [found?.['start_index'], found?.['end_index']],
      [before.length, before.length + address.length],
    );
    equal(before.length, 28_000);
  });
});
