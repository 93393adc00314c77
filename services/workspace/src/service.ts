import {
  aggregateService,
  beside,
  type AggregateDependencies,
} from '@sluice/boot/aggregate-service';
import type { Directory } from './commands/directory.ts';
import { workspaceMembersProjection } from './projections/workspace-members.ts';
import { workspaceStatesProjection } from './projections/workspace-states.ts';
import { workspacesProjection } from './projections/workspaces.ts';
import { dissolveMembers } from './reactions/dissolve-members.ts';
import { expelMembers } from './reactions/expel-members.ts';
import { publishMemberRemovals } from './reactions/publish-member-removals.ts';
import {
  publishWorkspaceChange,
  publishWorkspaceChanges,
} from './reactions/publish-workspace-changes.ts';
import { publishWorkspaceNames } from './reactions/publish-workspace-names.ts';
import { publishWorkspaceDeletions } from './reactions/publish-workspace-deletions.ts';
import { publishWorkspaceLimits } from './reactions/publish-workspace-limits.ts';
import { verifyNewMembers } from './reactions/verify-new-members.ts';
import { workspaceReadModels } from './read-models.ts';
import { workspaceRpc } from './rpc/workspace-service.ts';

export { type DirectoryClients, rpcDirectory } from './clients/directory.ts';
export type { Directory };

export interface WorkspaceDependencies extends AggregateDependencies {
  readonly directory: Directory;
}

/** Workspaces, their members and budgets: commands, read models, and telling others of changes. */
export function createService(given: WorkspaceDependencies) {
  const listed = [workspacesProjection, workspaceStatesProjection];
  return aggregateService(given, {
    readModels: workspaceReadModels,
    rpc: (opened) => [
      workspaceRpc({
        ...opened,
        publishChange: (change) => beside(publishWorkspaceChange(opened.bus, change)),
        isComplete: () => opened.isComplete(workspaceStatesProjection),
        shown: {
          workspaces: opened.shown(...listed),
          members: opened.shown(workspaceMembersProjection),
        },
      }),
    ],
    reactions: (opened) => [
      publishWorkspaceChanges({ ...opened, projected: opened.held(...listed) }),
      publishWorkspaceLimits(opened.bus, opened.eventStore),
      publishWorkspaceDeletions(opened.bus, opened.eventStore),
      publishWorkspaceNames(opened.bus, opened.eventStore),
      publishMemberRemovals(opened),
      verifyNewMembers(opened.eventStore, opened.directory),
      dissolveMembers(opened.eventStore),
    ],
    follow: (opened) => [expelMembers(opened)],
  });
}
