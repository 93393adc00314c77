import {
  aggregateService,
  beside,
  type AggregateDependencies,
} from '@sluice/boot/aggregate-service';
import type { TargetRules } from '@sluice/egress';
import type { KeyManagement } from '@sluice/envelope';
import { assertEnvelopeKeys, lookAfterSecrets } from '@sluice/sealed-secrets';
import type { Directory } from './commands/directory.ts';
import type { Files } from './files-config.ts';
import { destinationsProjection } from './projections/destinations.ts';
import { filesProjection } from './projections/files.ts';
import { modelAliasStatesProjection } from './projections/model-alias-states.ts';
import { presetsProjection } from './projections/presets.ts';
import { workspaceMembersProjection } from './projections/workspace-members.ts';
import { workspaceStatesProjection } from './projections/workspace-states.ts';
import { workspacesProjection } from './projections/workspaces.ts';
import { clearFiles } from './reactions/clear-files.ts';
import { disableDestinations } from './reactions/disable-destinations.ts';
import { dissolveMembers } from './reactions/dissolve-members.ts';
import { endRoutes } from './reactions/end-routes.ts';
import { eraseDestinationSecrets } from './reactions/erase-destination-secrets.ts';
import { expelMembers } from './reactions/expel-members.ts';
import {
  publishDestinationChange,
  publishDestinationChanges,
} from './reactions/publish-destination-changes.ts';
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
import { destinationRpc } from './rpc/destination-service.ts';
import { destinationUseRpc } from './rpc/destination-use-service.ts';
import { fileRpc } from './rpc/file-calls.ts';
import { workspaceRpc } from './rpc/workspace-service.ts';
import { destinationEvents } from './store/destination-events.ts';
import { destinationSecrets } from './store/destination-secrets.ts';

export { type DirectoryClients, rpcDirectory } from './clients/directory.ts';
export { type Files, openFiles } from './files-config.ts';
export { loadTargets } from './targets-config.ts';
export type { Directory };

export interface WorkspaceDependencies extends AggregateDependencies {
  readonly directory: Directory;
  /** The caller opens the store. Other processes do not write to it. */
  readonly files: Files;
  /** Seals the configs of destinations. */
  readonly keyManagement: KeyManagement;
  /** Decides which URLs a destination may have. */
  readonly targets: TargetRules;
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
      destinationRpc({
        ...opened,
        publishChange: (change) => beside(publishDestinationChange(opened.bus, change)),
        shown: opened.shown(destinationsProjection, eraseDestinationSecrets),
      }),
      destinationUseRpc(opened),
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
      eraseDestinationSecrets,
      disableDestinations(opened.eventStore),
      publishDestinationChanges({
        ...opened,
        destinationsHeld: opened.held(destinationsProjection),
        workspacesHeld: opened.held(...listed),
      }),
    ],
    follow: (opened) => [
      expelMembers(opened),
      sweepUploads(opened),
      lookAfterSecrets({
        ...opened,
        secrets: destinationSecrets,
        isUsed: async ({ accountId, secretId, recordId }) => {
          const { state } = await destinationEvents.load(opened.eventStore, accountId);
          return state.get(recordId)?.secretId === secretId;
        },
      }),
    ],
    async check() {
      await assertEnvelopeKeys({ ...given, secrets: destinationSecrets });
    },
  });
}
