import { requireAccepted } from '@sluice/errors';
import type { ReceivedContext } from '@sluice/rpc';
import type { CreateWorkspace } from '../domain/workspace/commands.ts';
import { workspace } from '../domain/workspace/decide.ts';
import { workspaceEvents, type WorkspaceHandler } from '../store/workspace-events.ts';
import { takeSlug, type TakeSlugDependencies } from './take-slug.ts';

export interface CreateWorkspaceDependencies extends TakeSlugDependencies {
  readonly handle: WorkspaceHandler;
}

/**
 * Creates the workspace under a slug that no other one of the account has. Sent again it goes on
 * where it stopped. Throws invalid_request or conflict.
 */
export function createWorkspace(dependencies: CreateWorkspaceDependencies) {
  return async (wanted: Omit<CreateWorkspace, 'type' | 'occurredAt'>, context: ReceivedContext) => {
    const command = { type: 'CreateWorkspace', ...wanted, occurredAt: context.occurredAt } as const;
    const { workspaceId, accountId, settings } = wanted;
    // Before anything is written: a malformed id must not become the name of a stream.
    requireAccepted(workspace.decide(command, workspace.initial));
    const { state } = await workspaceEvents.load(dependencies.eventStore, workspaceId);
    if (state.kind === 'none')
      await takeSlug(dependencies, { accountId, slug: settings.slug, workspaceId }, context);
    return requireAccepted(await dependencies.handle(workspaceId, command, context));
  };
}
