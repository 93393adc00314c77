import { join } from 'node:path';
import {
  projectionSpecification,
  recordedEvents,
  testDatabase,
  type TestDatabase,
} from '@sluice/read-model/testing';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import { destinationsProjection } from './destinations.ts';

let database: TestDatabase;
beforeEach(async () => {
  const migrations = join(import.meta.dirname, '../migrations');
  database = await testDatabase({ url: inject('postgresUrl'), migrations });
});
afterEach(() => database.drop());

const destinationId = '0190a000-0000-7000-8000-0000000000c1';
const secretId = '0190a000-0000-7000-8000-0000000000d1';
const otherSecretId = '0190a000-0000-7000-8000-0000000000d2';
const workspaceId = '0190a000-0000-7000-8000-000000000010';
const createdAt = '2026-01-02T03:04:05.000Z';
const changedAt = '2026-01-02T03:04:06.000Z';
const settings = {
  name: 'Ours',
  enabled: true,
  privacyMode: false,
  samplingRate: 0.25,
  apiKeyHashes: ['a', 'b'],
  filterRules: '{"groups":[]}',
  broadcastGenerationCost: true,
  broadcastGenerationIdentity: false,
  broadcastGenerationRequestContext: false,
  regions: ['global', 'us'],
};
const created = {
  type: 'DestinationCreated',
  data: {
    destinationId,
    accountId: 'org_1',
    workspaceId,
    destinationType: 's3',
    secretId,
    config: '{"region":"a"}',
    settings,
    createdAt,
  },
};
const event = (type: string, data: object) => ({
  type,
  data: { destinationId, ...data, changedAt },
});
const row = {
  destination_id: destinationId,
  account_id: 'org_1',
  workspace_id: workspaceId,
  type: 's3',
  secret_id: secretId,
  masked_config: '{"region":"a"}',
  name: 'Ours',
  enabled: true,
  privacy_mode: false,
  sampling_rate: 0.25,
  api_key_hashes: ['a', 'b'],
  filter_rules: '{"groups":[]}',
  broadcast_generation_cost: true,
  broadcast_generation_identity: false,
  broadcast_generation_request_context: false,
  regions: ['global', 'us'],
  created_at: new Date(createdAt),
  updated_at: new Date(createdAt),
  enabled_since: new Date(createdAt),
};
const updated_at = new Date(changedAt);

const cases: readonly (readonly [string, readonly object[], readonly object[]])[] = [
  ['a created destination', [], [row]],
  [
    'a changed one, with all its settings',
    [
      event('DestinationUpdated', {
        settings: {
          ...settings,
          name: null,
          enabled: false,
          apiKeyHashes: null,
          filterRules: null,
        },
      }),
    ],
    [
      {
        ...row,
        name: null,
        enabled: false,
        api_key_hashes: null,
        filter_rules: null,
        updated_at,
        enabled_since: null,
      },
    ],
  ],
  [
    'since when it has been enabled without a break',
    [
      event('DestinationUpdated', { settings: { ...settings, enabled: false } }),
      event('DestinationUpdated', { settings }),
      {
        ...event('DestinationUpdated', { settings }),
        data: { destinationId, settings, changedAt: '2026-01-02T03:04:07.000Z' },
      },
    ],
    [
      {
        ...row,
        updated_at: new Date('2026-01-02T03:04:07.000Z'),
        enabled_since: new Date(changedAt),
      },
    ],
  ],
  [
    'one with another config',
    [
      event('DestinationConfigured', {
        secretId: otherSecretId,
        replacedSecretId: secretId,
        config: '{}',
      }),
    ],
    [{ ...row, secret_id: otherSecretId, masked_config: '{}', updated_at }],
  ],
  ['no deleted one', [event('DestinationDeleted', { secretId })], []],
];

describe('the table of destinations shows', () => {
  test.each(cases)('%s', async (_title, events, rows) => {
    await projectionSpecification({ database, apply: destinationsProjection.apply })
      .project(...recordedEvents('destinations-org_1', created, ...(events as (typeof created)[])))
      .twice()
      .expectRows('SELECT * FROM destinations', rows);
  });
});
