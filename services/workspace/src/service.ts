import {
  aggregateService,
  beside,
  type AggregateDependencies,
} from '@sluice/boot/aggregate-service';
import type { Directory } from './commands/directory.ts';
import type { Files } from './files-config.ts';
import { filesProjection } from './projections/files.ts';
import { modelAliasStatesProjection } from './projections/model-alias-states.ts';
import { presetsProjection } from './projections/presets.ts';
import { workspaceMembersProjection } from './projections/workspace-members.ts';
import { workspaceStatesProjection } from './projections/workspace-states.ts';
import { workspacesProjection } from './projections/workspaces.ts';
import { clearFiles } from './reactions/clear-files.ts';
import { dissolveMembers } from './reactions/dissolve-members.ts';
import { endRoutes } from './reactions/end-routes.ts';
import { expelMembers } from './reactions/expel-members.ts';
import { publishMemberRemovals } from './reactions/publish-member-removals.ts';
import { publishRouteChanges } from './reactions/publish-route-changes.ts';
import {
  publishWorkspaceChange,
  publishWorkspaceChanges,
} from './reactions/publish-workspace-changes.ts';
import { publishWorkspaceNames } from './reactions/publish-workspace-names.ts';
import { publishWorkspaceDeletions } from './reactions/publish-workspace-deletions.ts';
import { publishWorkspaceLimits } from './reactions/publish-workspace-limits.ts';
import { removeContents } from './reactions/remove-contents.ts';
import { sweepUploads } from './reactions/sweep-uploads.ts';
import { verifyNewMembers } from './reactions/verify-new-members.ts';
import { workspaceReadModels } from './read-models.ts';
import { fileRpc } from './rpc/file-calls.ts';
import { workspaceRpc } from './rpc/workspace-service.ts';

export { type DirectoryClients, rpcDirectory } from './clients/directory.ts';
export { type Files, openFiles } from './files-config.ts';
export type { Directory };

export interface WorkspaceDependencies extends AggregateDependencies {
  readonly directory: Directory;
  /** The caller opens the store. Other processes do not write to it. */
  readonly files: Files;
}

/** Workspaces, their members, budgets and files: commands, read models, and telling others of changes. */
export function createService(given: WorkspaceDependencies) {
  const listed = [workspacesProjection, workspaceStatesProjection];
  const { store, limits } = given.files;
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
          aliases: opened.shown(modelAliasStatesProjection),
          presets: opened.shown(presetsProjection),
        },
      }),
      fileRpc({ ...opened, store, limits, shown: opened.shown(filesProjection) }),
    ],
    reactions: (opened) => [
      publishWorkspaceChanges({ ...opened, projected: opened.held(...listed) }),
      publishRouteChanges({
        ...opened,
        aliasesHeld: opened.held(modelAliasStatesProjection),
        presetsHeld: opened.held(presetsProjection),
      }),
      publishWorkspaceLimits(opened.bus, opened.eventStore),
      publishWorkspaceDeletions(opened.bus, opened.eventStore),
      publishWorkspaceNames(opened.bus, opened.eventStore),
      publishMemberRemovals(opened),
      verifyNewMembers(opened.eventStore, opened.directory),
      dissolveMembers(opened.eventStore),
      clearFiles(opened),
      endRoutes(opened),
      removeContents(store),
    ],
    follow: (opened) => [expelMembers(opened), sweepUploads(opened)],
  });
}
