import type { RecordedEvent } from '@sluice/es';
import { eachInOrder, type Projection, type Queryable } from '@sluice/read-model';
import type { WorkspaceCreated } from '../domain/workspace/events.ts';
import { workspaceEvents, workspaceStreamPrefix } from '../store/workspace-events.ts';

/** Keeps the table `workspaces`: one row per workspace. */
export const workspacesProjection: Projection = {
  projection: 'workspace.workspaces',
  version: 1,
  streamPrefixes: [workspaceStreamPrefix],
  tables: ['workspaces'],
  apply: applyToWorkspaces,
};

async function applyToWorkspaces(
  transaction: Queryable,
  events: readonly RecordedEvent[],
): Promise<void> {
  await eachInOrder(events, async (recorded) => {
    const event = workspaceEvents.decode(recorded);
    switch (event.type) {
      case 'WorkspaceCreated':
        return insertWorkspace(transaction, event.data);
    }
  });
}

async function insertWorkspace(
  transaction: Queryable,
  data: WorkspaceCreated['data'],
): Promise<void> {
  await transaction.query({
    name: 'insert-workspace',
    text: `INSERT INTO workspaces (workspace_id, account_id, name, slug, is_default, created_at)
           VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (workspace_id) DO NOTHING`,
    values: [
      data.workspaceId,
      data.accountId,
      data.name,
      data.slug,
      data.isDefault,
      data.createdAt,
    ],
  });
}
