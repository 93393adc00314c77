import { describe, expect, test } from 'vitest';
import { accepted, issuePaths } from '../testing/request-body.ts';

const pairs = (count: number): Readonly<Record<string, string>> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${String(index)}`, 'v']));
const key = 'k'.repeat(64);

describe('metadata', () => {
  test.each([pairs(16), { [key]: 'v' }, { k: 'v'.repeat(512) }, { '': '' }])(
    'comes back as it was sent, up to its limits: %o',
    (metadata) => {
      expect(accepted({ metadata }).echo.metadata).toEqual(metadata);
    },
  );

  test.each([[{}], [null], [undefined]])('is empty when nothing is said: %o', (metadata) => {
    expect(accepted({ metadata }).echo.metadata).toEqual({});
  });

  test.each<[object, string]>([
    [pairs(17), 'metadata'],
    [{ [`${key}k`]: 'v' }, `metadata.${key}`],
    [{ k: 'v'.repeat(513) }, 'metadata.k'],
    [{ 'a[': 'v' }, 'metadata.a['],
    [{ 'a]': 'v' }, 'metadata.a]'],
    [{ k: null }, 'metadata.k'],
    [{ k: { nested: 'v' } }, 'metadata.k'],
  ])('is refused beyond them: %o', (metadata, path) => {
    expect(issuePaths({ metadata })).toEqual([path]);
  });
});
