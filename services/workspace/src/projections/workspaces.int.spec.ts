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

describe('the table of workspaces', () => {
  test('holds a workspace from its creation', () =>
    projectionSpecification({ database, apply: workspacesProjection.apply })
      .project(...recordedEvents(`workspace-${workspaceId}`, created))
      .twice()
      .expectRows('SELECT * FROM workspaces', [
        {
          workspace_id: workspaceId,
          account_id: 'org_1',
          name: "O'Neil; DROP TABLE workspaces",
          slug: 'default',
          is_default: true,
          created_at: new Date('2026-01-02T03:04:05.678Z'),
        },
      ]));
});
