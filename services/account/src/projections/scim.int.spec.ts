import { join } from 'node:path';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import {
  projectionSpecification,
  recordedEvents,
  testDatabase,
  type TestDatabase,
} from '@sluice/read-model/testing';
import { scimDirectoryProjection } from './scim-directory.ts';
import { scimSyncsProjection } from './scim-syncs.ts';

let database: TestDatabase;
beforeEach(async () => {
  const migrations = join(import.meta.dirname, '../migrations');
  database = await testDatabase({ url: inject('postgresUrl'), migrations });
});
afterEach(() => database.drop());

const accountId = 'org_1';
const jobId = '0190a000-0000-7000-8000-0000000000d1';
const groupId = '0190a000-0000-7000-8000-0000000000d2';
const mappingId = '0190a000-0000-7000-8000-0000000000d3';
const workspaceId = '0190a000-0000-7000-8000-0000000000d4';
const first = '2026-01-02T03:04:05.678Z';
const then = '2026-01-03T00:00:00.000Z';
const group = (displayName: string, changedAt: string) => ({
  type: 'ScimGroupUpserted',
  data: { accountId, jobId, groupId, externalId: '00g1', displayName, changedAt },
});
const deleted = {
  type: 'ScimGroupDeleted',
  data: { accountId, jobId, groupId, deletedAt: then },
};
const mapped = {
  type: 'ScimMappingCreated',
  data: { accountId, mappingId, groupId, workspaceId, role: 'member', createdAt: first },
};
const promoted = {
  type: 'ScimMappingRoleChanged',
  data: { accountId, mappingId, role: 'admin', changedAt: then },
};
const unmapped = {
  type: 'ScimMappingDeleted',
  data: { accountId, mappingId, workspaceId, keepMembers: false, deletedAt: then },
};

describe('the tables of a directory', () => {
  const projecting = (...events: Parameters<typeof recordedEvents>[1][]) =>
    projectionSpecification({ database, apply: scimDirectoryProjection.apply })
      .project(...recordedEvents('scimDirectory-org_1', ...events))
      .twice();
  const groups = `SELECT display_name AS name, is_deleted AS gone, created_at AS created,
                         updated_at AS updated FROM scim_groups`;
  const [created, updated] = [new Date(first), new Date(then)];

  test('hold a group under its name of now', () =>
    projecting(group('Old', first), group('New', then)).expectRows(groups, [
      { name: 'New', gone: false, created, updated },
    ]));

  test('keep a group that was deleted', () =>
    projecting(group('Old', first), deleted).expectRows(groups, [
      { name: 'Old', gone: true, created, updated },
    ]));

  test('hold a mapping with its role of now, until it is deleted', async () => {
    const mappings = 'SELECT role, created_at AS created, updated_at AS updated FROM scim_mappings';
    await projecting(mapped, promoted).expectRows(mappings, [{ role: 'admin', created, updated }]);
    await projecting(unmapped).expectRows(mappings, []);
  });
});

describe('the table of sync jobs', () => {
  const requested = {
    type: 'ScimSyncRequested',
    data: { accountId, jobId, requestedAt: first },
  };
  const started = { type: 'ScimSyncStarted', data: { accountId, jobId, startedAt: first } };
  const finished = (outcome: object) => ({
    type: 'ScimSyncFinished',
    data: { accountId, jobId, ...outcome, finishedAt: then },
  });
  const projecting = (...events: Parameters<typeof recordedEvents>[1][]) =>
    projectionSpecification({ database, apply: scimSyncsProjection.apply })
      .project(...recordedEvents('scimSync-org_1', ...events))
      .twice();
  const row = { account_id: accountId, job_id: jobId, created_at: new Date(first) };
  const nothing = { synced_groups: null, deleted_groups: null, error_message: null };

  test('shows a job that waits, then one that runs', async () => {
    const open = { ...row, started_at: null, finished_at: null, ...nothing };
    await projecting(requested).expectRows('SELECT * FROM scim_sync_jobs', [
      { ...open, status: 'queued' },
    ]);
    await projecting(started).expectRows('SELECT * FROM scim_sync_jobs', [
      { ...open, status: 'running', started_at: new Date(first) },
    ]);
  });

  test.each([
    [
      { status: 'succeeded', syncedGroups: 2, deletedGroups: 0, errorMessage: null },
      { ...nothing, synced_groups: 2, deleted_groups: 0 },
    ],
    [
      { status: 'failed', syncedGroups: null, deletedGroups: null, errorMessage: 'no' },
      { ...nothing, error_message: 'no' },
    ],
  ])('shows how a job ended: %o', (outcome, columns) => {
    const times = { started_at: new Date(first), finished_at: new Date(then) };
    return projecting(requested, started, finished(outcome)).expectRows(
      'SELECT * FROM scim_sync_jobs',
      [{ ...row, ...times, ...columns, status: outcome.status }],
    );
  });
});
