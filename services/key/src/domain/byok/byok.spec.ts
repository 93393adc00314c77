import { deepEqual } from 'node:assert/strict';
import { isRejection } from '@sluice/errors';
import { specification } from '@sluice/es/testing';
import { describe, test } from 'vitest';
import type { AddByokCredential, ByokCommand, ChangeByokCredential } from './commands.ts';
import { byok } from './decide.ts';
import type { ByokCredentialAdded, ByokEvent, ByokSettings } from './events.ts';

const { given } = specification(byok);
const occurredAt = '2026-01-02T03:04:05.678Z';
const workspaceId = '0190a000-0000-7000-8000-000000000010';
const otherWorkspaceId = '0190a000-0000-7000-8000-000000000011';
const hash = 'ab'.repeat(32);
const otherHash = 'cd'.repeat(32);

const settings: ByokSettings = {
  name: 'Ours',
  disabled: false,
  isFallback: false,
  isRequired: false,
  isByokOnly: false,
  declaredZdr: null,
  allowedModels: null,
  allowedApiKeyHashes: null,
  allowedUserIds: null,
};
const place = { credentialId: 'c1', accountId: 'org_1', workspaceId, provider: 'openai' };
const secret = { secretId: 's1', label: 'sk-...AbCd' };
const add = (changes: Partial<AddByokCredential> = {}): AddByokCredential => ({
  type: 'AddByokCredential',
  ...place,
  secret,
  settings,
  occurredAt,
  ...changes,
});
const added = (changes: Partial<ByokCredentialAdded['data']> = {}): ByokCredentialAdded => ({
  type: 'ByokCredentialAdded',
  data: { ...place, ...secret, settings, sortOrder: 0, addedAt: occurredAt, ...changes },
});
const change = (
  changes: Partial<ByokSettings>,
  rest: Partial<ChangeByokCredential> = {},
): ChangeByokCredential => ({
  type: 'ChangeByokCredential',
  credentialId: 'c1',
  changes,
  secret: undefined,
  occurredAt,
  ...rest,
});
const updated = (changes: Partial<ByokSettings>, credentialId = 'c1'): ByokEvent => ({
  type: 'ByokCredentialUpdated',
  data: { credentialId, settings: { ...settings, ...changes }, changedAt: occurredAt },
});
const deleted = (credentialId = 'c1', secretId = 's1'): ByokEvent => ({
  type: 'ByokCredentialDeleted',
  data: { credentialId, secretId, changedAt: occurredAt },
});

function pathsOf(command: ByokCommand, ...events: readonly ByokEvent[]): readonly string[] {
  const state = events.reduce(byok.evolve, byok.initial);
  const outcome = byok.decide(command, state);
  if (!isRejection(outcome)) return [];
  const issues = outcome.metadata?.['issues'] as readonly { path: string }[] | undefined;
  return issues?.map(({ path }) => path) ?? [outcome.rejected];
}

const wrongSettings: readonly (readonly [string, Partial<ByokSettings>])[] = [
  ['name', { name: '' }],
  ['name', { name: 'n'.repeat(256) }],
  ['allowed_models', { allowedModels: [] }],
  ['allowed_models', { allowedModels: ['a model'] }],
  ['allowed_models', { allowedModels: Array.from({ length: 101 }, (_, n) => `m${n}`) }],
  ['allowed_api_key_hashes', { allowedApiKeyHashes: [] }],
  ['allowed_api_key_hashes', { allowedApiKeyHashes: ['AB'.repeat(32)] }],
  ['allowed_user_ids', { allowedUserIds: [] }],
  ['allowed_user_ids', { allowedUserIds: ['a user'] }],
  ['is_byok_only', { isFallback: true, isByokOnly: true }],
];

describe('adding a credential', () => {
  test('adds it', () => given().when(add()).then(added()));
  test('puts it behind those of its provider in its workspace', () => {
    given(added())
      .when(add({ credentialId: 'c2' }))
      .then(added({ credentialId: 'c2', sortOrder: 1 }));
    for (const elsewhere of [{ provider: 'azure' }, { workspaceId: otherWorkspaceId }])
      given(added())
        .when(add({ credentialId: 'c2', ...elsewhere }))
        .then(added({ credentialId: 'c2', ...elsewhere }));
    given(added(), added({ credentialId: 'c2', sortOrder: 1 }), deleted())
      .when(add({ credentialId: 'c3' }))
      .then(added({ credentialId: 'c3', sortOrder: 2 }));
  });
  test('keeps each entry of a list once', () => {
    const allowedModels = ['a', 'b'];
    given()
      .when(add({ settings: { ...settings, allowedModels: ['a', 'b', 'a'] } }))
      .then(added({ settings: { ...settings, allowedModels } }));
  });
  test.each(wrongSettings)('is rejected for its %s: %o', (path, wrong) =>
    deepEqual(pathsOf(add({ settings: { ...settings, ...wrong } })), [path]),
  );
  test('is rejected when there is one of its id', () =>
    given(added()).when(add()).thenRejected('conflict'));
  test('is rejected when the account has a thousand', () => {
    const thousand = Array.from({ length: 1_000 }, (_, n) => added({ credentialId: `x${n}` }));
    given(...thousand)
      .when(add())
      .thenRejected('invalid_request');
    given(...thousand.slice(1))
      .when(add())
      .then(added({ sortOrder: 1 }));
  });
});

describe('changing a credential', () => {
  test('writes all its settings as they are then', () => {
    given(added())
      .when(change({ name: null, isFallback: true, declaredZdr: true, allowedUserIds: ['u'] }))
      .then(updated({ name: null, isFallback: true, declaredZdr: true, allowedUserIds: ['u'] }));
    given(added(), updated({ allowedModels: ['a'] }))
      .when(change({ disabled: true }))
      .then(updated({ allowedModels: ['a'], disabled: true }));
  });
  test('to what it is, or in nothing, changes nothing', () => {
    given(added()).when(change({})).thenNothing();
    given(added())
      .when(change({ name: 'Ours', allowedModels: null }))
      .thenNothing();
  });
  test('puts another secret in the place of the one before', () => {
    const next = { secretId: 's2', label: 'sk-...EfGh' };
    const rotated: ByokEvent = {
      type: 'ByokCredentialRotated',
      data: { credentialId: 'c1', ...next, replacedSecretId: 's1', changedAt: occurredAt },
    };
    given(added())
      .when(change({}, { secret: next }))
      .then(rotated);
    given(added(), rotated)
      .when({ type: 'DeleteByokCredential', credentialId: 'c1', occurredAt })
      .then(deleted('c1', 's2'));
  });
  test.each(wrongSettings)('is rejected for its %s: %o', (path, wrong) =>
    deepEqual(pathsOf(change(wrong), added()), [path]),
  );
  test('is rejected for what does not go together with what it is', () => {
    deepEqual(pathsOf(change({ isByokOnly: true }), added(), updated({ isFallback: true })), [
      'is_byok_only',
    ]);
    given(added(), updated({ isFallback: true }))
      .when(change({ isByokOnly: true, isFallback: false }))
      .then(updated({ isByokOnly: true }));
  });
});

describe('a credential is not found', () => {
  test.each([change({ disabled: true }), { type: 'DeleteByokCredential' } as const])(
    'for $type when there is none of its id, or none any more',
    (command) => {
      const asked: ByokCommand = { credentialId: 'c1', occurredAt, ...command };
      given().when(asked).thenRejected('not_found');
      given(added({ credentialId: 'c2' }))
        .when(asked)
        .thenRejected('not_found');
      given(added(), deleted()).when(asked).thenRejected('not_found');
    },
  );
});

describe('when a workspace is deleted', () => {
  const command = { type: 'DeleteByokOfWorkspace', workspaceId, occurredAt } as const;
  test('its credentials are deleted, and those of others stay', () => {
    given(
      added(),
      added({ credentialId: 'c2', secretId: 's2' }),
      added({ credentialId: 'c3', workspaceId: otherWorkspaceId }),
    )
      .when(command)
      .then(deleted(), deleted('c2', 's2'));
    given(added(), deleted()).when(command).thenNothing();
  });
});

describe('when a key is deleted', () => {
  const command = { type: 'ForgetApiKey', keyHash: hash, occurredAt } as const;
  const restricted = added({ settings: { ...settings, allowedApiKeyHashes: [hash, otherHash] } });
  test('it leaves the lists that it is on', () => {
    given(restricted, added({ credentialId: 'c2' }))
      .when(command)
      .then(updated({ allowedApiKeyHashes: [otherHash] }));
    given(added()).when(command).thenNothing();
  });
  test('a list that becomes empty disables its credential, which is not opened by enabling it', () => {
    const emptied = updated({ allowedApiKeyHashes: [], disabled: true });
    given(added({ settings: { ...settings, allowedApiKeyHashes: [hash] } }))
      .when(command)
      .then(emptied);
    deepEqual(pathsOf(change({ disabled: false }), added(), emptied), ['allowed_api_key_hashes']);
    given(added(), emptied)
      .when(change({ disabled: false, allowedApiKeyHashes: null }))
      .then(updated({}));
    given(added(), emptied)
      .when(change({ name: 'Later' }))
      .then(updated({ name: 'Later', allowedApiKeyHashes: [], disabled: true }));
  });
});
