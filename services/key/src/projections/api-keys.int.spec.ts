import { join } from 'node:path';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import {
  projectionSpecification,
  recordedEvents,
  testDatabase,
  type TestDatabase,
} from '@sluice/read-model/testing';
import { apiKeysProjection } from './api-keys.ts';

let database: TestDatabase;
beforeEach(async () => {
  const migrations = join(import.meta.dirname, '../migrations');
  database = await testDatabase({ url: inject('postgresUrl'), migrations });
});
afterEach(() => database.drop());

const hash = 'ab'.repeat(32);
const issued = {
  type: 'ApiKeyIssued',
  schemaVersion: 2,
  data: {
    hash,
    digest: { pepperVersion: 1, hmacSha256: 'cd'.repeat(32) },
    label: 'sk-sluice-v1-au7...890',
    kind: 'regular',
    name: 'Production',
    accountId: 'org_1',
    workspaceId: '0190a000-0000-7000-8000-000000000010',
    limitNanoUsd: '9007199254740993',
    limitReset: 'monthly',
    includeByokInLimit: false,
    expiresAt: '2030-01-31T12:00:00.000Z',
    creatorUserId: 'user_1',
    externalUser: 'customer-7',
    source: 'api',
    issuedAt: '2026-01-02T03:04:05.000Z',
  },
};
const changedAt = '2026-01-02T03:04:06.000Z';
const event = (type: string, data: object = {}) => ({ type, data: { ...data, changedAt } });

const row = {
  hash,
  kind: 'regular',
  label: 'sk-sluice-v1-au7...890',
  name: 'Production',
  disabled: false,
  account_id: 'org_1',
  workspace_id: '0190a000-0000-7000-8000-000000000010',
  limit_nano_usd: 9_007_199_254_740_993n,
  limit_reset: 'monthly',
  include_byok_in_limit: false,
  expires_at: new Date('2030-01-31T12:00:00.000Z'),
  creator_user_id: 'user_1',
  created_at: new Date('2026-01-02T03:04:05.000Z'),
  updated_at: new Date('2026-01-02T03:04:05.000Z'),
  issue_command_id: '00000000-0000-7000-8000-000000000000',
  external_user: 'customer-7',
  source: 'api',
};
const changed = { ...row, updated_at: new Date(changedAt) };

const cases: readonly (readonly [
  string,
  readonly ReturnType<typeof event>[],
  readonly object[],
])[] = [
  ['an issued key', [], [row]],
  ['a renamed key', [event('ApiKeyRenamed', { name: 'X' })], [{ ...changed, name: 'X' }]],
  ['a disabled key', [event('ApiKeyDisabled')], [{ ...changed, disabled: true }]],
  ['a key enabled again', [event('ApiKeyDisabled'), event('ApiKeyEnabled')], [changed]],
  [
    'a key without limit',
    [event('ApiKeyLimitChanged', { limitNanoUsd: null })],
    [{ ...changed, limit_nano_usd: null }],
  ],
  [
    'a key with another limit',
    [event('ApiKeyLimitChanged', { limitNanoUsd: '0' })],
    [{ ...changed, limit_nano_usd: 0n }],
  ],
  [
    'a key whose limit is for life',
    [event('ApiKeyLimitResetChanged', { limitReset: null })],
    [{ ...changed, limit_reset: null }],
  ],
  [
    'a key whose limit counts own credentials',
    [event('ApiKeyByokInclusionChanged', { includeByokInLimit: true })],
    [{ ...changed, include_byok_in_limit: true }],
  ],
  ['no deleted key', [event('ApiKeyRenamed', { name: 'X' }), event('ApiKeyDeleted')], []],
];

describe('the table of keys shows', () => {
  test.each(cases)('%s', async (_title, changes, rows) => {
    await projectionSpecification({ database, apply: apiKeysProjection.apply })
      .project(...recordedEvents(`apiKey-${hash}`, issued, ...changes))
      .twice()
      .expectRows('SELECT * FROM api_keys', rows);
  });

  test('one row for each key, and changes one key only', async () => {
    const other = 'ef'.repeat(32);
    const second = { ...issued, data: { ...issued.data, hash: other } };
    await projectionSpecification({ database, apply: apiKeysProjection.apply })
      .project(
        ...recordedEvents(`apiKey-${hash}`, issued, event('ApiKeyDisabled')),
        ...recordedEvents(`apiKey-${other}`, second),
      )
      .twice()
      .expectRows('SELECT hash, disabled FROM api_keys ORDER BY hash', [
        { hash, disabled: true },
        { hash: other, disabled: false },
      ]);
  });

  test('many keys of one batch as they are after it, whatever stands in their names', async () => {
    const hashes = ['1', '2', '3', '4'].map((digit) => digit.repeat(64));
    const names = ['{"a",NULL}', String.raw`back\\slash`, 'NULL', 'gone'];
    const nothing = { limitNanoUsd: null, expiresAt: null, creatorUserId: null };
    const issuedAs = (at: number) => ({
      ...issued,
      data: { ...issued.data, ...nothing, hash: hashes[at] ?? '', name: names[at] ?? '' },
    });
    const [first, second, third, fourth] = hashes.map((each, at) => {
      const ends = at === 3 ? [event('ApiKeyDeleted')] : [];
      return recordedEvents(`apiKey-${each}`, issuedAs(at), event('ApiKeyDisabled'), ...ends);
    });
    const inTurns = [0, 1, 2].flatMap((at) =>
      [first, second, third, fourth].flatMap((events) => events?.slice(at, at + 1) ?? []),
    );
    await projectionSpecification({ database, apply: apiKeysProjection.apply })
      .project(...inTurns)
      .twice()
      .expectRows(
        'SELECT hash, name, disabled, limit_nano_usd, expires_at, creator_user_id FROM api_keys ORDER BY hash',
        [0, 1, 2].map((at) => ({
          hash: hashes[at],
          name: names[at],
          disabled: true,
          limit_nano_usd: null,
          expires_at: null,
          creator_user_id: null,
        })),
      );
  });

  test('the last of several changes of one batch, in each column, and when that was', async () => {
    const other = 'ef'.repeat(32);
    const at = (second: number) => `2026-01-02T03:05:0${second}.000Z`;
    const renamed = (name: string, second: number) => ({
      type: 'ApiKeyRenamed',
      data: { name, changedAt: at(second) },
    });
    const limited = (limitNanoUsd: string | null, second: number) => ({
      type: 'ApiKeyLimitChanged',
      data: { limitNanoUsd, changedAt: at(second) },
    });
    const second = { ...issued, data: { ...issued.data, hash: other } };
    await projectionSpecification({ database, apply: apiKeysProjection.apply })
      .project(
        ...recordedEvents(
          `apiKey-${hash}`,
          issued,
          limited('5', 1),
          renamed('first', 2),
          renamed('last', 3),
        ),
        ...recordedEvents(`apiKey-${other}`, second, renamed('other', 4), limited(null, 5)),
      )
      .twice()
      .expectRows('SELECT hash, name, limit_nano_usd, updated_at FROM api_keys ORDER BY hash', [
        { hash, name: 'last', limit_nano_usd: 5n, updated_at: new Date(at(3)) },
        { hash: other, name: 'other', limit_nano_usd: null, updated_at: new Date(at(5)) },
      ]);
  });
});
