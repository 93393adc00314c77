import type { RecordedEvent } from '@sluice/es';
import type { Queryable } from '@sluice/read-model';
import type { WorkspaceCreated } from '../domain/workspace/events.ts';
import { workspaceEvents } from '../store/workspace-events.ts';

export const workspacesProjection = { projection: 'workspace.workspaces', version: 1 } as const;

/** Keeps the table `workspaces`: one row per workspace. */
export async function applyToWorkspaces(
  transaction: Queryable,
  events: readonly RecordedEvent[],
): Promise<void> {
  for (const recorded of events) {
    const event = workspaceEvents.decode(recorded);
    switch (event.type) {
      case 'WorkspaceCreated':
        await insertWorkspace(transaction, event.data);
    }
  }
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
