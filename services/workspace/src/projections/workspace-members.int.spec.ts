import { join } from 'node:path';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import {
  projectionSpecification,
  recordedEvents,
  testDatabase,
  type TestDatabase,
} from '@sluice/read-model/testing';
import { workspaceMembersProjection } from './workspace-members.ts';

let database: TestDatabase;
beforeEach(async () => {
  const migrations = join(import.meta.dirname, '../migrations');
  database = await testDatabase({ url: inject('postgresUrl'), migrations });
});
afterEach(() => database.drop());

const workspaceId = '0190a000-0000-7000-8000-000000000010';
const changedAt = '2026-01-02T03:04:05.678Z';
const event = (type: string, manualRole: string | null, directoryRole: string | null) => ({
  type,
  data: {
    accountId: 'org_1',
    workspaceId,
    userId: 'bob',
    manualRole,
    directoryRole,
    changedAt,
  },
});
const added = event('WorkspaceMemberAdded', 'member', null);
const project = (...events: readonly { type: string; data: object }[]) =>
  projectionSpecification({ database, apply: workspaceMembersProjection.apply })
    .project(...recordedEvents(`workspaceMembers-${workspaceId}`, ...events))
    .twice();
const all = 'SELECT * FROM workspace_members';
const row = {
  account_id: 'org_1',
  workspace_id: workspaceId,
  user_id: 'bob',
  manual_role: 'member',
  directory_role: null,
  created_at: new Date(changedAt),
};

describe('the table of members', () => {
  test('holds a member from the first day', () => project(added).expectRows(all, [row]));
  test('holds by whom the member is one, as it is now', () =>
    project(
      added,
      event('WorkspaceMemberRoleChanged', 'member', 'admin'),
      event('WorkspaceMemberSourcesChanged', null, 'admin'),
    ).expectRows(all, [{ ...row, manual_role: null, directory_role: 'admin' }]));
  test('holds nobody who was removed', () =>
    project(added, event('WorkspaceMemberRemoved', null, null)).expectRows(all, []));
});
