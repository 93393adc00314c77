import { deepEqual, equal, ok } from 'node:assert/strict';
import {
  compileFilters,
  compileStreamFilters,
  type FilterAction,
  type FilterSet,
  filtersOf,
  redact,
  scan,
} from '@sluice/content-filter';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Buffering,
  type ReleaseOptions,
  scanGroup,
  type ScannedTexts,
  TextRelease,
} from './index.ts';

function customSet(patterns: readonly string[], action: FilterAction = 'redact'): FilterSet {
  return { builtin: [], custom: patterns.map((pattern) => ({ pattern, action, label: null })) };
}

const emails: FilterSet = { builtin: [{ slug: 'email', action: 'redact' }], custom: [] };

interface Options {
  readonly buffering?: Buffering;
  readonly form?: ScannedTexts['form'];
  readonly isBroken?: boolean;
  readonly blocks?: ReleaseOptions['blocks'];
}

async function releaseOf(set: FilterSet, options: Options = {}): Promise<TextRelease> {
  const filters = await compileFilters(set);
  const all = filtersOf(set);
  const { isBroken = false, ...rest } = options;
  return new TextRelease({
    hold: compileStreamFilters(set).hold,
    buffering: 'incremental',
    form: 'text',
    blocks: { unscanned: true, cut: false },
    isBlocking: (filter) => all[filter]?.action === 'block',
    scan: async (texts) =>
      isBroken ? 'broken' : scanGroup(texts, filters, { scansInjection: false }),
    ...rest,
  });
}

async function pieces(release: TextRelease, deltas: readonly string[]): Promise<readonly string[]> {
  const released: string[] = [];
  for (const delta of deltas) released.push((await release.push(delta)).text);
  return [...released, (await release.end()).text];
}

const patterns = [
  'foo',
  'ab(?:cd)?',
  'a{2,4}b',
  String.raw`\bkey-[0-9]+\b`,
  'x.*?y',
  '(?:red|redden|green)s?',
  '[a-c]{3}$',
  'abcabcabd',
  String.raw`\d{3}-\d{4}`,
  '(a|ab)(c|bcd)',
  'b*?c',
  '(?i:FOO|key)',
];
const words = [...'a b c d x y - 1 2'.split(' '), ' ', '\n', 'foo', 'key-', 'red', 'den', '😀'];

describe('a growing text', () => {
  test('leaves as the redacted whole, however it is cut, with any custom patterns', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...patterns), { minLength: 1, maxLength: 3 }),
        fc.array(fc.constantFrom(...words), { maxLength: 30 }),
        fc.boolean(),
        async (chosen, deltas, isByCharacter) => {
          const set = customSet(chosen);
          deepEqual(compileStreamFilters(set).buffered, []);
          const text = deltas.join('');
          const wanted = redact(text, scan(text, await compileFilters(set)).redactions);
          const cut = isByCharacter ? text.split('') : deltas;
          equal((await pieces(await releaseOf(set), cut)).join(''), wanted);
        },
      ),
      { numRuns: 150 },
    );
  });

  test.each([
    ['^foo', 'its beginning'],
    ['(?i)foo', 'a notation of the engine alone'],
    [`(?:${'ab?'.repeat(300)})`, 'a pattern that is too long'],
  ])('waits for its end with %s: %s', (pattern) => {
    deepEqual(compileStreamFilters(customSet([pattern])).buffered, ['custom']);
  });

  test('waits for its end with more patterns than can be followed', () => {
    const many = Array.from({ length: 100 }, (_, index) => `${index}${'x'.repeat(380)}`);
    const { buffered } = compileStreamFilters(customSet(many));
    ok(buffered.length > 50 && buffered.length < 100, String(buffered.length));
  });

  test('holds what can become a match and nothing else', async () => {
    const release = await releaseOf(customSet(['foobar']));
    deepEqual(await pieces(release, ['a fo', 'o', 'd foo', 'bar', ' b']), [
      'a ',
      '',
      'food ',
      '',
      '[REDACTED] b',
      '',
    ]);
  });

  test('ends before what a filter blocks, however it is cut', async () => {
    const text = 'a secret foobar and more foobar';
    for (const deltas of [[text], text.split(''), text.split(/(?= )/u)]) {
      const release = await releaseOf(customSet(['foobar'], 'block'));
      equal((await pieces(release, deltas)).join(''), 'a secret ');
      equal((await release.push(' again')).text, '');
    }
  });

  test('waits for the end of a sentence or for its own end', async () => {
    const deltas = ['Mail a@b', '.org now. And', ' then'];
    const bySentence = await pieces(await releaseOf(emails, { buffering: 'sentence' }), deltas);
    // The last word may still become `now. (at) …`.
    deepEqual(bySentence, ['', 'Mail [EMAIL] ', '', 'now. And then']);
    const byText = await pieces(await releaseOf(emails, { buffering: 'end' }), deltas);
    deepEqual(byText, ['', '', '', 'Mail [EMAIL] now. And then']);
  });

  test('in JSON stays JSON, and a blocked one does not leave at all', async () => {
    const options = { buffering: 'end', form: 'json' } as const;
    const json = String.raw`{"to":"a\u0040b.org","n":1}`;
    const release = await releaseOf(emails, options);
    equal((await pieces(release, json.split(''))).join(''), '{"to":"[EMAIL]","n":1}');
    const blocking = { ...emails, builtin: [{ slug: 'email', action: 'block' }] } as const;
    equal((await pieces(await releaseOf(blocking, options), [json])).join(''), '');
  });

  test('that cannot be scanned does not leave, unless it may', async () => {
    const broken = await releaseOf(emails, { isBroken: true });
    const release = await broken.push('Some words ');
    deepEqual(release, { text: '', detections: [], isBlocked: true, failure: 'broken' });
    const passing = await releaseOf(emails, {
      isBroken: true,
      blocks: { unscanned: false, cut: false },
    });
    equal((await pieces(passing, ['Some words ', 'more'])).join(''), 'Some words more');
  });

  test('is not kept without a bound', async () => {
    const release = await releaseOf(customSet(['x[^z]*z']));
    const deltas = Array.from({ length: 50_000 }, () => 'y'.repeat(100));
    equal((await pieces(release, ['x', ...deltas])).join(''), '');
    ok((await release.push('z')).text === '');
  });

  test('knows where a place of the text is now', async () => {
    const release = await releaseOf(emails);
    const text = (await pieces(release, ['To a@b.org and c@d.org end'])).join('');
    expect(text.slice(release.placeOf(11))).toBe('and [EMAIL] end');
    expect(text.slice(release.placeOf(23))).toBe('end');
    expect(text.slice(release.placeOf(5))).toBe('[EMAIL] and [EMAIL] end');
  });
});
