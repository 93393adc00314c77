import { deepEqual, equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { compileFilters } from '../compile-filters.ts';
import { type BuiltinSlug, labels } from '../filter.ts';
import { redact, scan } from '../scan.ts';
import { accents, disguised, disguises } from './testing/disguises.ts';
import { originalSpan } from './text-view.ts';
import { viewsOf } from './text-views.ts';

const samples: readonly (readonly [slug: BuiltinSlug, before: string, content: string])[] = [
  ['email', 'mail ', 'bob.smith@example.com'],
  ['phone', 'call ', '(202) 555-0143'],
  ['phone', 'at ', '+44 20 7946 0958'],
  ['ssn', 'my ssn is ', '123-45-6789'],
  ['credit-card', 'pay with ', '4111 1111 1111 1111'],
  ['credit-card', 'order #', '4111111111111111'],
  ['ip-address', 'host ', '203.0.113.77'],
  ['secrets', 'use ', 'ghp_x8Kq2LmZ7vRt4WcY9bNd3HsJ6fGa1PeUo5Ti'],
  ['person-name', 'Dear ', 'Ada Lovelace'],
  ['address', 'lives at ', '12 Oak Street'],
];

/** Names are no names in another alphabet, or with accents. */
const isEntity = (slug: BuiltinSlug) => slug === 'person-name' || slug === 'address';
const isKnown = (written: string) =>
  written
    .normalize('NFKC')
    .split(/[^\p{L}\p{M}\p{Cf}]+/u)
    .every((word) => word === '' || (/[A-Za-z]/u.test(word) && !/[À-ɏḀ-ỿ]/u.test(word)));

describe('disguised content', () => {
  for (const disguise of [...disguises, accents])
    test.each(samples)(`in ${disguise.name} is found: %s, %s%s`, async (slug, before, content) => {
      if (disguise === accents && isEntity(slug)) return;
      const filters = await compileFilters({ builtin: [{ slug, action: 'redact' }], custom: [] });
      fc.assert(
        fc.property(disguised(content, disguise), (written) => {
          fc.pre(!isEntity(slug) || isKnown(written));
          const text = `${before}${written}, please`;
          equal(redact(text, scan(text, filters).redactions), `${before}${labels[slug]}, please`);
        }),
        { numRuns: 60 },
      );
    });

  test.each(disguises)('is found by patterns of users: %s', async (disguise) => {
    const custom = [
      { pattern: String.raw`project-\d+ b`, action: 'redact', label: '[X]' },
    ] as const;
    const filters = await compileFilters({ builtin: [], custom });
    fc.assert(
      fc.property(disguised('project-12 b', disguise), (written) => {
        const text = `a ${written}. c`;
        const { detections, redactions } = scan(text, filters);
        equal(redact(text, redactions), 'a [X]. c');
        equal(detections.length, 1);
      }),
      { numRuns: 60 },
    );
  });
});

describe('a view', () => {
  test('of ASCII is the text itself', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...Array.from({ length: 0x5f }, (_, at) => at + 0x20), 9, 10, 13)),
        (codes) => {
          deepEqual(viewsOf(String.fromCharCode(...codes)), []);
        },
      ),
    );
  });

  test.each([
    'Das “schöne” Haus – groß genug für 3 Kinder … oder?',
    'L’été dernier, « déjà vu ! » — à Besançon',
    'Обычный русский текст, 3 слова — и всё.',
    'これは普通の文章です。「はい」と言った。',
    '这是普通的文字，没有别的！',
    'هذا نص عادي، أليس كذلك؟',
    'यह एक सामान्य पाठ है।',
    'ข้อความธรรมดา คำไทย',
    'Việt Nam là một nước ở Đông Nam Á',
  ])('of ordinary text is not plainer: %s', (text) => {
    deepEqual(
      viewsOf(text).filter(({ keepsLetters }) => keepsLetters),
      [],
    );
  });

  test.each([
    ['раypаl', 'paypal'],
    ['cafe\u0301 and c\u200Bafé', 'café and café'],
    ['一三八〇〇一三', '1380013'],
    ['電話は03-1234で', '電話は 03-1234 で'],
    ['ﾄﾞｱ ①② Ⅳ ﬁn', 'ドア 12 IV fin'],
    ['4\uFE0F\u20E3', '4'],
  ])('of %s is %s', (text, wanted) => equal(viewsOf(text)[0]?.text, wanted));

  test('of a word that could be of two alphabets has both', () => {
    deepEqual(
      viewsOf('cекрет').map((view) => view.text),
      ['секрет', 'cekpet'],
    );
  });

  test('knows the places of any text', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '\u200B',
        'ﬁ',
        '𝐀',
        'e\u0301',
        '一二三四五六七',
        '字a',
        '\uD800',
        '1–2',
        'cекрет',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), fc.boolean(), (pieces, isGrowing) => {
        const text = pieces.join('');
        for (const view of viewsOf(text, { isGrowing })) {
          if (!view.origins) continue;
          const { origins } = view;
          equal(origins.length, view.text.length + 1);
          equal(origins.at(-1), text.length);
          origins.reduce((before, origin) => (ok(origin >= before), origin), 0);
          for (let start = 0; start < view.text.length; start++) {
            const span = originalSpan(text, view, { start, end: start + 1 });
            ok(span.start >= 0 && span.start < span.end && span.end <= text.length);
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  test.each(['\u0301', 'e\u0301', '\u200B', 'ﬁ', 'сc', '一1', '字a', '１', 'é', '\u{e0041}', '—1'])(
    'of a megabyte of %s ends',
    (unit) => {
      const text = unit.repeat(1_000_000 / unit.length);
      for (const view of viewsOf(text)) ok(view.text.length <= 3 * text.length);
    },
  );
});
