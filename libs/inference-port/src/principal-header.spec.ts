import { deepEqual, equal } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { decodePrincipal, encodePrincipal, type Principal } from './index.ts';

const identifier = fc.stringMatching(/^[\w-]{1,40}$/);
const principals: fc.Arbitrary<Principal> = fc.record(
  {
    accountId: identifier,
    workspaceId: identifier,
    keyHash: identifier,
    limitNanoUsd: fc.option(fc.bigInt({ min: 0n, max: 10n ** 18n })),
    limitReset: fc.constantFrom('daily', 'weekly', 'monthly', null),
    includeByokInLimit: fc.boolean(),
    creatorUserId: identifier,
  },
  {
    requiredKeys: [
      'accountId',
      'workspaceId',
      'keyHash',
      'limitNanoUsd',
      'limitReset',
      'includeByokInLimit',
    ],
    noNullPrototype: true,
  },
);

describe('a principal in a header', () => {
  test('comes out as it went in', () => {
    fc.assert(
      fc.property(principals, (principal) =>
        deepEqual(decodePrincipal(encodePrincipal(principal)), principal),
      ),
    );
  });

  test('is a header value whatever is in it', () => {
    fc.assert(
      fc.property(principals, (principal) =>
        equal(/^[\w-]+$/.test(encodePrincipal(principal)), true),
      ),
    );
  });

  test('is nobody when anything is missing, odd or too long', () => {
    const good = { accountId: 'a', workspaceId: 'w', keyHash: 'k', includeByokInLimit: false };
    const header = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const full = { ...good, limitNanoUsd: '1', limitReset: null };
    equal(decodePrincipal(header(full))?.limitNanoUsd, 1n);
    for (const bad of [
      null,
      [],
      good,
      { ...full, limitNanoUsd: 1 },
      { ...full, limitNanoUsd: '-1' },
      { ...full, limitReset: 'hourly' },
      { ...full, accountId: '' },
      { ...full, keyHash: 'a b' },
      { ...full, keyHash: 'k'.repeat(10_000) },
      { ...full, includeByokInLimit: 'no' },
    ])
      equal(decodePrincipal(header(bad)), undefined);
    equal(decodePrincipal(undefined), undefined);
    equal(decodePrincipal('%%%'), undefined);
  });
});
