import { deepEqual } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { isRejection } from '@sluice/errors';
import { specification } from '@sluice/es/testing';
import type { ChangeApiKey, DeleteApiKey, IssueApiKey } from './commands.ts';
import { apiKey } from './decide.ts';
import type { ApiKeyEvent } from './events.ts';

const { given } = specification(apiKey);
const occurredAt = '2026-01-02T03:04:05.678Z';
const changedAt = '2026-01-03T00:00:00.000Z';

const kept = {
  hash: 'ab'.repeat(32),
  digest: { pepperVersion: 1, hmacSha256: 'cd'.repeat(32) },
  label: 'sk-sluice-v1-au7...890',
  kind: 'regular' as const,
  name: 'Production',
  accountId: 'org_1',
  workspaceId: '0190a000-0000-7000-8000-000000000010',
  includeByokInLimit: false,
  creatorUserId: 'user_1',
  externalUser: 'customer-7',
};
const issue: IssueApiKey = {
  type: 'IssueApiKey',
  actorType: 'management_key',
  ...kept,
  source: null,
  isSupplied: false,
  limitNanoUsd: 5_000_000_000n,
  limitReset: 'monthly',
  expiresAt: '2030-01-31T12:00:00Z',
  occurredAt,
};
const issued = {
  type: 'ApiKeyIssued' as const,
  data: {
    ...kept,
    limitNanoUsd: '5000000000',
    limitReset: 'monthly' as const,
    expiresAt: '2030-01-31T12:00:00.000Z',
    source: 'api' as const,
    issuedAt: occurredAt,
  },
};
const change = (changes: ChangeApiKey['changes']): ChangeApiKey => ({
  type: 'ChangeApiKey',
  actorType: 'management_key',
  accountId: 'org_1',
  changes,
  occurredAt: changedAt,
});
const remove: DeleteApiKey = {
  type: 'DeleteApiKey',
  actorType: 'management_key',
  accountId: 'org_1',
  occurredAt: changedAt,
};
const deleted: ApiKeyEvent = { type: 'ApiKeyDeleted', data: { changedAt } };
const disabled: ApiKeyEvent = { type: 'ApiKeyDisabled', data: { changedAt } };

describe('issuing a key', () => {
  test('issues it', () => given().when(issue).then(issued));
  test('issues one without cap, reset, end and owner', () => {
    const none = { limitNanoUsd: null, limitReset: null, expiresAt: null };
    const nobody = { creatorUserId: null, externalUser: null };
    given()
      .when({ ...issue, ...none, ...nobody })
      .then({ ...issued, data: { ...issued.data, ...none, ...nobody } });
  });
  test('accepts a limit of 0: a key that cannot spend', () =>
    given()
      .when({ ...issue, limitNanoUsd: 0n })
      .then({ ...issued, data: { ...issued.data, limitNanoUsd: '0' } }));
  test('is rejected when there is a key of this hash, even a deleted one', () => {
    given(issued).when(issue).thenRejected('conflict');
    given(issued, deleted).when(issue).thenRejected('conflict');
  });
  test('of a management key is for people and the system, not for keys', () => {
    const management = { ...issue, kind: 'management' as const };
    given().when(management).thenRejected('permission_denied');
    given()
      .when({ ...management, actorType: 'user' })
      .then({ ...issued, data: { ...issued.data, kind: 'management', source: 'dashboard' } });
  });

  test('says where it was made: by who asks, unless that is said', () => {
    const source = 'dashboard' as const;
    for (const actorType of ['user', 'system'] as const)
      given()
        .when({ ...issue, actorType })
        .then({ ...issued, data: { ...issued.data, source } });
    given()
      .when({ ...issue, source })
      .then({ ...issued, data: { ...issued.data, source } });
  });
  test('for a connect client is not for keys', () => {
    const source = 'connect_client' as const;
    given()
      .when({ ...issue, source })
      .thenRejected('permission_denied');
    given()
      .when({ ...issue, source, actorType: 'system' })
      .then({ ...issued, data: { ...issued.data, source } });
  });
  test('with a supplied secret that is in use, or was, is a wrong request', () => {
    const supplied = { ...issue, isSupplied: true };
    given(issued).when(supplied).thenRejected('invalid_request');
    given(issued, deleted).when(supplied).thenRejected('invalid_request');
    given().when(supplied).then(issued);
  });

  test.each([
    ['external.user', { externalUser: '' }],
    ['external.user', { externalUser: 'u'.repeat(257) }],
    ['external.user', { externalUser: 'a\0b' }],
    ['source', { source: 'elsewhere' }],
    ['name', { name: '' }],
    ['name', { name: ' ' }],
    ['name', { name: 'n'.repeat(201) }],
    ['name', { name: 'a\0b' }],
    ['limit', { limitNanoUsd: -1n }],
    ['limit', { limitNanoUsd: 10n ** 18n + 1n }],
    ['limit_reset', { limitReset: 'yearly' }],
    ['limit_reset', { limitReset: '' }],
    ['workspace_id', { workspaceId: 'default' }],
    ['creator_user_id', { creatorUserId: 'user 1' }],
    ['expires_at', { expiresAt: '2026-01-02T03:04:05.678Z' }],
    ['expires_at', { expiresAt: '2025-01-31T12:00:00Z' }],
    ['expires_at', { expiresAt: '2030-01-31T12:00Z' }],
    ['expires_at', { expiresAt: '2030-01-31T12:00:00' }],
    ['expires_at', { expiresAt: '2030-01-31T12:00:00+02:00' }],
    ['expires_at', { expiresAt: '2030-02-30T12:00:00Z' }],
    ['expires_at', { expiresAt: '2030-01-31T24:00:00Z' }],
    ['expires_at', { expiresAt: '2030-01-31' }],
    ['expires_at', { expiresAt: '' }],
  ])('is rejected for its %s: %o', (path, wrong) => {
    given()
      .when({ ...issue, ...wrong })
      .thenRejected('invalid_request');
    deepEqual(pathsOf({ ...issue, ...wrong }), [path]);
  });

  test('is rejected with all issues together', () =>
    deepEqual(pathsOf({ ...issue, name: '', limitReset: 'x', limitNanoUsd: -1n }), [
      'name',
      'limit',
      'limit_reset',
    ]));
});

describe('changing a key', () => {
  test('writes one fact for each value that changes', () => {
    const changes = {
      name: 'Staging',
      disabled: true,
      limitNanoUsd: null,
      limitReset: null,
      includeByokInLimit: true,
    };
    const facts: readonly ApiKeyEvent[] = [
      { type: 'ApiKeyRenamed', data: { name: 'Staging', changedAt } },
      { type: 'ApiKeyDisabled', data: { changedAt } },
      { type: 'ApiKeyLimitChanged', data: { limitNanoUsd: null, changedAt } },
      { type: 'ApiKeyLimitResetChanged', data: { limitReset: null, changedAt } },
      { type: 'ApiKeyByokInclusionChanged', data: { includeByokInLimit: true, changedAt } },
    ];
    given(issued)
      .when(change(changes))
      .then(...facts);
  });
  test('to what it is already, or to nothing, changes nothing', () => {
    given(issued)
      .when(change({ name: 'Production', disabled: false, limitNanoUsd: 5_000_000_000n }))
      .thenNothing();
    given(issued)
      .when(change({ limitReset: 'monthly', includeByokInLimit: false }))
      .thenNothing();
    given(issued).when(change({})).thenNothing();
    given(issued, disabled)
      .when(change({ disabled: true }))
      .thenNothing();
  });
  test('enables a disabled key again', () =>
    given(issued, disabled)
      .when(change({ disabled: false }))
      .then({ type: 'ApiKeyEnabled', data: { changedAt } }));
  test('counts from the last change, not from the first', () =>
    given(issued, { type: 'ApiKeyLimitChanged', data: { limitNanoUsd: '7', changedAt } })
      .when(change({ limitNanoUsd: 5_000_000_000n }))
      .then({ type: 'ApiKeyLimitChanged', data: { limitNanoUsd: '5000000000', changedAt } }));
  test.each([{ name: '' }, { name: 'a\0b' }, { limitNanoUsd: -1n }, { limitReset: 'yearly' }])(
    'is rejected for %o',
    (wrong) => given(issued).when(change(wrong)).thenRejected('invalid_request'),
  );
});

describe('deleting a key', () => {
  test('deletes it, also when it is disabled', () => {
    given(issued).when(remove).then(deleted);
    given(issued, disabled).when(remove).then(deleted);
  });
});

describe('a key of a connect client', () => {
  const source = 'connect_client' as const;
  const connected = { ...issued, data: { ...issued.data, source } };
  test.each([change({ name: 'x' }), change({}), remove])('is not for keys: $type', (command) => {
    given(connected).when(command).thenRejected('permission_denied');
    given(connected)
      .when({ ...command, accountId: 'org_2' })
      .thenRejected('not_found');
  });
  test('is ended by people and the system', () =>
    given(connected)
      .when({ ...remove, actorType: 'system' })
      .then(deleted));
});

describe('a key is not found for changing or deleting', () => {
  const management = { ...issued, data: { ...issued.data, kind: 'management' as const } };
  test.each([change({ name: 'x' }), remove])('$type', (command) => {
    given().when(command).thenRejected('not_found');
    given(issued, deleted).when(command).thenRejected('not_found');
    given(issued)
      .when({ ...command, accountId: 'org_2' })
      .thenRejected('not_found');
    given(management).when(command).thenRejected('not_found');
  });
  test('unless a person administers a management key', () =>
    given(management)
      .when({ ...remove, actorType: 'user' })
      .then(deleted));
});

function pathsOf(command: IssueApiKey): readonly string[] {
  const outcome = apiKey.decide(command, apiKey.initial);
  if (!isRejection(outcome)) return [];
  const issues = outcome.metadata?.['issues'] as readonly { path: string }[] | undefined;
  return issues?.map(({ path }) => path) ?? [];
}
