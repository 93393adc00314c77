import { join } from 'node:path';
import {
  projectionSpecification,
  recordedEvents,
  testDatabase,
  type TestDatabase,
} from '@sluice/read-model/testing';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import { byokCredentialsProjection } from './byok-credentials.ts';

let database: TestDatabase;
beforeEach(async () => {
  const migrations = join(import.meta.dirname, '../migrations');
  database = await testDatabase({ url: inject('postgresUrl'), migrations });
});
afterEach(() => database.drop());

const credentialId = '0190a000-0000-7000-8000-0000000000c1';
const secretId = '0190a000-0000-7000-8000-0000000000d1';
const otherSecretId = '0190a000-0000-7000-8000-0000000000d2';
const workspaceId = '0190a000-0000-7000-8000-000000000010';
const changedAt = '2026-01-02T03:04:06.000Z';
const settings = {
  name: 'Ours',
  disabled: false,
  isFallback: false,
  isRequired: true,
  isByokOnly: false,
  declaredZdr: null,
  allowedModels: ['anthropic/claude-sonnet-4.5'],
  allowedApiKeyHashes: null,
  allowedUserIds: ['user_1', 'user_2'],
};
const added = {
  type: 'ByokCredentialAdded',
  data: {
    credentialId,
    accountId: 'org_1',
    workspaceId,
    provider: 'anthropic',
    secretId,
    label: 'sk-...AbCd',
    settings,
    sortOrder: 3,
    addedAt: '2026-01-02T03:04:05.000Z',
  },
};
const event = (type: string, data: object) => ({
  type,
  data: { credentialId, ...data, changedAt },
});
const row = {
  credential_id: credentialId,
  account_id: 'org_1',
  workspace_id: workspaceId,
  provider: 'anthropic',
  secret_id: secretId,
  label: 'sk-...AbCd',
  name: 'Ours',
  disabled: false,
  is_fallback: false,
  is_required: true,
  is_byok_only: false,
  declared_zdr: null,
  allowed_models: ['anthropic/claude-sonnet-4.5'],
  allowed_api_key_hashes: null,
  allowed_user_ids: ['user_1', 'user_2'],
  sort_order: 3,
  created_at: new Date('2026-01-02T03:04:05.000Z'),
};

const changes = { name: null, disabled: true, declaredZdr: true, allowedApiKeyHashes: [] };
const cases: readonly (readonly [string, readonly object[], readonly object[]])[] = [
  ['an added credential', [], [row]],
  [
    'a changed one, with all its settings',
    [event('ByokCredentialUpdated', { settings: { ...settings, ...changes } })],
    [{ ...row, name: null, disabled: true, declared_zdr: true, allowed_api_key_hashes: [] }],
  ],
  [
    'one with another secret',
    [
      event('ByokCredentialRotated', {
        secretId: otherSecretId,
        replacedSecretId: secretId,
        label: 'sk-...EfGh',
      }),
    ],
    [{ ...row, secret_id: otherSecretId, label: 'sk-...EfGh' }],
  ],
  ['no deleted one', [event('ByokCredentialDeleted', { secretId })], []],
];

describe('the table of provider credentials shows', () => {
  test.each(cases)('%s', async (_title, events, rows) => {
    await projectionSpecification({ database, apply: byokCredentialsProjection.apply })
      .project(...recordedEvents('byok-org_1', added, ...(events as (typeof added)[])))
      .twice()
      .expectRows('SELECT * FROM byok_credentials', rows);
  });
});
