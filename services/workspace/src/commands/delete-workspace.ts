import { invalidRequest, requireAccepted } from '@sluice/errors';
import type { ReceivedContext } from '@sluice/rpc';
import type { EventStore } from '@sluice/es';
import { workspaceEvents, type WorkspaceHandler } from '../store/workspace-events.ts';
import type { Directory } from './directory.ts';
import { whileClosed } from './while-closed.ts';

export interface DeleteWorkspaceDependencies {
  readonly eventStore: EventStore;
  readonly handle: WorkspaceHandler;
  readonly directory: Pick<Directory, 'beginClosing' | 'endClosing'>;
}

/**
 * Deletes a workspace without keys. The default workspace may have keys: the key service disables them when it
 * receives the deletion.
 */
export function deleteWorkspace({ eventStore, handle, directory }: DeleteWorkspaceDependencies) {
  return async (
    { workspaceId, confirmsDefault }: { workspaceId: string; confirmsDefault: boolean },
    context: ReceivedContext,
  ) => {
    const { accountId, occurredAt } = context;
    const { state } = await workspaceEvents.load(eventStore, workspaceId);
    const command = { type: 'DeleteWorkspace', accountId, confirmsDefault, occurredAt } as const;
    const mustBeEmpty = state.kind === 'created' && !state.isDefault;
    if (mustBeEmpty && state.accountId === accountId)
      return await whileClosed(directory, context, {
        closed: { workspaceId, creatorUserIds: [] },
        refuseKeys: hasKeys,
        carryOut: (closing) => handle(workspaceId, command, closing),
      });
    return requireAccepted(await handle(workspaceId, command, context));
  };
}

function hasKeys(count: number) {
  const keys = count === 1 ? '1 API key' : `${count} API keys`;
  return invalidRequest([{ path: 'id', message: `the workspace has ${keys}: delete them first` }]);
}
