import { equal, ok } from 'node:assert/strict';
import {
  compileFilters,
  compileStreamFilters,
  type FilterSet,
  redact,
  scan,
} from '@sluice/content-filter';
import { disguised, disguises } from '@sluice/content-filter/testing';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { scanGroup, TextRelease } from './index.ts';

const set: FilterSet = {
  builtin: (['email', 'phone', 'ssn', 'credit-card', 'ip-address', 'secrets'] as const).map(
    (slug) => ({ slug, action: 'redact' }),
  ),
  custom: [
    { pattern: String.raw`project-\d+ b`, action: 'redact', label: '[X]' },
    { pattern: 'секрет', action: 'redact', label: '[Y]' },
    { pattern: 'café', action: 'redact', label: '[Z]' },
  ],
};
const contents = [
  'bob@example.com',
  '(202) 555-0143',
  'ssn 123-45-6789',
  '4111 1111 1111 1111',
  '203.0.113.77',
  'ghp_x8Kq2LmZ7vRt4WcY9bNd3HsJ6fGa1PeUo5Ti',
  'project-12 b',
  'cекрет',
  'cafe\u0301',
  'это обычный текст, 5 слов',
  '我的卡号是4111111111111111，谢谢',
];

describe('a growing text in other characters', () => {
  test.each(disguises)(
    'leaves as the redacted whole, however it is cut: $name',
    async (disguise) => {
      const filters = await compileFilters(set);
      const { hold, buffered } = compileStreamFilters(set);
      equal(buffered.length, 0);
      let changed = 0;
      const content = fc.constantFrom(...contents).chain((text) => disguised(text, disguise));
      const joint = fc.constantFrom(' ', ', ', '\n', ' and ', ' e', '\u200B', 'é ');
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(content, joint), { minLength: 1, maxLength: 3 }),
          fc.infiniteStream(fc.integer({ min: 1, max: 6 })),
          async (parts, sizes) => {
            const text = `so ${parts.flat().join('')}end`;
            const wanted = redact(text, scan(text, filters).redactions);
            if (wanted !== text) changed++;
            const release = new TextRelease({
              hold,
              buffering: 'incremental',
              form: 'text',
              blocks: { unscanned: true, cut: false },
              isBlocking: () => false,
              scan: async (texts) => scanGroup(texts, filters, { scansInjection: false }),
            });
            let left = '';
            for (let at = 0; at < text.length;) {
              const end = at + (sizes.next().value ?? 1);
              left += (await release.push(text.slice(at, end))).text;
              at = end;
            }
            left += (await release.end()).text;
            equal(left, wanted);
          },
        ),
        { numRuns: 150 },
      );
      ok(changed > 100, String(changed));
    },
    60_000,
  );
});
