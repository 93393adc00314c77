import { join } from 'node:path';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import {
  projectionSpecification,
  recordedEvents,
  testDatabase,
  type TestDatabase,
} from '@sluice/read-model/testing';
import { presetsProjection } from './presets.ts';

let database: TestDatabase;
beforeEach(async () => {
  const migrations = join(import.meta.dirname, '../migrations');
  database = await testDatabase({ url: inject('postgresUrl'), migrations });
});
afterEach(() => database.drop());

const ids = {
  accountId: 'org_1',
  workspaceId: '0190a000-0000-7000-8000-000000000010',
  presetId: '0190a000-0000-7000-8000-000000000061',
};
const times = ['2026-01-02T03:04:05.678Z', '2026-02-02T03:04:05.678Z'] as const;
const created = {
  type: 'PresetCreated',
  data: { ...ids, slug: 'support', name: "it's", createdBy: 'ann', createdAt: times[0] },
};
const version = (number: number, createdAt: string) => ({
  type: 'PresetVersionCreated',
  data: {
    ...ids,
    versionId: `0190a000-0000-7000-8000-00000000007${number}`,
    version: number,
    config: `{"seed":${number}}`,
    systemPrompt: null,
    creatorId: 'ann',
    createdAt,
  },
});
const row = {
  preset_id: ids.presetId,
  account_id: 'org_1',
  workspace_id: ids.workspaceId,
  slug: 'support',
  name: "it's",
  description: null,
  status: 'active',
  status_updated_at: null,
  creator_user_id: 'ann',
  designated_version: 1,
  version_count: 1,
  created_at: new Date(times[0]),
  updated_at: new Date(times[0]),
};
const project = (...events: readonly { type: string; data: object }[]) =>
  projectionSpecification({ database, apply: presetsProjection.apply })
    .project(...recordedEvents(`preset-${ids.presetId}`, ...events))
    .twice();
const all = 'SELECT * FROM presets';

describe('the tables of presets', () => {
  test('hold a preset from its creation', () =>
    project(created, version(1, times[0])).expectRows(all, [row]));
  test('hold each version', () =>
    project(created, version(1, times[0]), version(2, times[1])).expectRows(
      'SELECT version, config FROM preset_versions ORDER BY version',
      [
        { version: 1, config: '{"seed":1}' },
        { version: 2, config: '{"seed":2}' },
      ],
    ));
  test('hold the version that is designated', () =>
    project(created, version(1, times[0]), version(2, times[0]), {
      type: 'PresetVersionDesignated',
      data: { ...ids, version: 1, changedAt: times[1] },
    }).expectRows(all, [{ ...row, version_count: 2, updated_at: new Date(times[1]) }]));
  test('hold what changed, and when the state did', () =>
    project(
      created,
      version(1, times[0]),
      {
        type: 'PresetUpdated',
        data: { ...ids, changes: { description: 'x', status: 'disabled' }, changedAt: times[0] },
      },
      {
        type: 'PresetUpdated',
        data: { ...ids, changes: { name: 'y', description: null }, changedAt: times[1] },
      },
    ).expectRows(all, [
      {
        ...row,
        name: 'y',
        status: 'disabled',
        status_updated_at: new Date(times[0]),
        updated_at: new Date(times[1]),
      },
    ]));
});
