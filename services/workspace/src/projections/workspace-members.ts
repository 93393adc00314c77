import { type Queryable, streamProjection } from '@sluice/read-model';
import type { WorkspaceMembersEvent } from '../domain/workspace-members/events.ts';
import { workspaceMembersEvents } from '../store/workspace-members-events.ts';

/** Keeps the table `workspace_members`: one row per member that was added and not removed. */
export const workspaceMembersProjection = streamProjection(
  workspaceMembersEvents,
  { projection: 'workspace.workspace_members', version: 1, tables: ['workspace_members'] },
  apply,
);

async function apply(transaction: Queryable, event: WorkspaceMembersEvent): Promise<void> {
  const { workspaceId, userId } = event.data;
  switch (event.type) {
    case 'WorkspaceMemberAdded':
    case 'WorkspaceMemberRoleChanged':
    case 'WorkspaceMemberSourcesChanged': {
      const { accountId, manualRole, directoryRole, changedAt } = event.data;
      await transaction.query({
        name: 'set-workspace-member',
        text: `INSERT INTO workspace_members
                 (account_id, workspace_id, user_id, manual_role, directory_role, created_at)
               VALUES ($1, $2, $3, $4, $5, $6)
               ON CONFLICT (workspace_id, user_id) DO UPDATE
               SET manual_role = excluded.manual_role, directory_role = excluded.directory_role`,
        values: [accountId, workspaceId, userId, manualRole, directoryRole, changedAt],
      });
      return;
    }
    case 'WorkspaceMemberRemoved':
      await transaction.query({
        name: 'delete-workspace-member',
        text: 'DELETE FROM workspace_members WHERE workspace_id = $1 AND user_id = $2',
        values: [workspaceId, userId],
      });
  }
}
