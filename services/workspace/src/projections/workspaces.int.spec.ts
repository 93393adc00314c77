import { join } from 'node:path';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import {
  projectionSpecification,
  recordedEvents,
  testDatabase,
  type TestDatabase,
} from '@sluice/read-model/testing';
import { workspacesProjection } from './workspaces.ts';

let database: TestDatabase;
beforeEach(async () => {
  const migrations = join(import.meta.dirname, '../migrations');
  database = await testDatabase({ url: inject('postgresUrl'), migrations });
});
afterEach(() => database.drop());

const workspaceId = '0190a000-0000-7000-8000-000000000010';
/** The oldest form of the event in the log: version 1. */
const created = {
  type: 'WorkspaceCreated',
  data: {
    workspaceId,
    accountId: 'org_1',
    name: "O'Neil; DROP TABLE workspaces",
    slug: 'default',
    isDefault: true,
    createdAt: '2026-01-02T03:04:05.678Z',
  },
};
const changedAt = '2026-02-02T03:04:05.678Z';
const updated = {
  type: 'WorkspaceUpdated',
  data: {
    changes: {
      slug: 'studies',
      description: "it's",
      defaultProviderSort: 'price',
      ioLoggingSamplingRate: 0.25,
      ioLoggingApiKeyIds: [7, 9],
      disabledServerTools: ['service:bash'],
      defaultPlugins: [{ settings: { id: 'moderation' }, preventsOverrides: true }],
    },
    changedAt,
  },
};
const row = {
  workspace_id: workspaceId,
  account_id: 'org_1',
  name: "O'Neil; DROP TABLE workspaces",
  slug: 'default',
  is_default: true,
  created_at: new Date('2026-01-02T03:04:05.678Z'),
  description: null,
  default_text_model: null,
  default_image_model: null,
  default_provider_sort: null,
  is_observability_io_logging_enabled: false,
  io_logging_sampling_rate: 1,
  io_logging_api_key_ids: null,
  is_observability_broadcast_enabled: false,
  is_data_discount_logging_enabled: false,
  disabled_server_tools: null,
  default_plugins: null,
  include_byok_in_budgets: false,
  created_by: null,
  updated_at: null,
  broadcasts_since: null,
};
const changed = {
  ...row,
  slug: 'studies',
  description: "it's",
  default_provider_sort: 'price',
  io_logging_sampling_rate: 0.25,
  io_logging_api_key_ids: [7n, 9n],
  disabled_server_tools: ['service:bash'],
  default_plugins: [{ settings: { id: 'moderation' }, preventsOverrides: true }],
  updated_at: new Date(changedAt),
};
const project = (...events: readonly { type: string; data: object }[]) =>
  projectionSpecification({ database, apply: workspacesProjection.apply })
    .project(...recordedEvents(`workspace-${workspaceId}`, ...events))
    .twice();
const all = 'SELECT * FROM workspaces';

describe('the table of workspaces', () => {
  test('holds a workspace from its creation', () => project(created).expectRows(all, [row]));
  test('holds its settings as they were changed', () =>
    project(created, updated).expectRows(all, [changed]));
  test('holds since when it has broadcast without a break', () => {
    const switched = (isOn: boolean, at: string) => ({
      type: 'WorkspaceUpdated',
      data: { changes: { isObservabilityBroadcastEnabled: isOn }, changedAt: at },
    });
    const [on, later] = ['2026-02-02T03:04:07.000Z', '2026-02-02T03:04:08.000Z'];
    return project(
      created,
      switched(true, changedAt),
      switched(false, '2026-02-02T03:04:06.000Z'),
      switched(true, on),
      switched(true, later),
    ).expectRows(all, [
      {
        ...row,
        is_observability_broadcast_enabled: true,
        updated_at: new Date(later),
        broadcasts_since: new Date(on),
      },
    ]);
  });
  test('holds what counts against its budgets, and no budget', () =>
    project(
      created,
      {
        type: 'WorkspaceBudgetSet',
        data: { budgetId: workspaceId, interval: 'daily', limitNanoUsd: '1', changedAt },
      },
      {
        type: 'WorkspaceByokBudgetPolicyChanged',
        data: { includeByokInBudgets: true, changedAt },
      },
      { type: 'WorkspaceBudgetRemoved', data: { interval: 'daily', changedAt } },
    ).expectRows(all, [
      { ...row, include_byok_in_budgets: true, updated_at: new Date(changedAt) },
    ]));
  test('holds no workspace that was deleted', () =>
    project(created, updated, { type: 'WorkspaceDeleted', data: { changedAt } }).expectRows(
      all,
      [],
    ));
});
