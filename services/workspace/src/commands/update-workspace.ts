import { requireAccepted } from '@sluice/errors';
import type { ReceivedContext } from '@sluice/rpc';
import type { UpdateWorkspace } from '../domain/workspace/commands.ts';
import { workspace } from '../domain/workspace/decide.ts';
import { workspaceEvents } from '../store/workspace-events.ts';
import type { CreateWorkspaceDependencies } from './create-workspace.ts';
import { takeSlug } from './take-slug.ts';

export interface ChangedWorkspace {
  readonly workspaceId: string;
  readonly changes: UpdateWorkspace['changes'];
}

/** Changes settings; a new slug only to one that no other workspace of the account has. */
export function updateWorkspace(dependencies: CreateWorkspaceDependencies) {
  const { eventStore, handle } = dependencies;
  return async ({ workspaceId, changes }: ChangedWorkspace, context: ReceivedContext) => {
    const { accountId, occurredAt } = context;
    const command = { type: 'UpdateWorkspace', accountId, changes, occurredAt } as const;
    if (changes.slug !== undefined) {
      // Whose command is refused takes no slug.
      const { state } = await workspaceEvents.load(eventStore, workspaceId);
      requireAccepted(workspace.decide(command, state));
      // Claim the present slug as well: no other workspace may get it during this command.
      await takeSlug(dependencies, { accountId, slug: changes.slug, workspaceId }, context);
    }
    return requireAccepted(await handle(workspaceId, command, context));
  };
}
