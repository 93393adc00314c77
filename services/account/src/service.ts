import { aggregateService, type AggregateDependencies } from '@sluice/boot/aggregate-service';
import type { Ids } from '@sluice/clock-and-ids';
import type { Workspaces } from './commands/workspaces.ts';
import type { DirectorySource } from './directory/directory-source.ts';
import { accountsProjection } from './projections/accounts.ts';
import { endUsersProjection } from './projections/end-users.ts';
import { membersProjection } from './projections/members.ts';
import { scimDirectoryProjection } from './projections/scim-directory.ts';
import { scimSyncsProjection } from './projections/scim-syncs.ts';
import { joinOwners } from './reactions/join-owners.ts';
import { provisionWorkspaces } from './reactions/provision-workspaces.ts';
import { publishCredits } from './reactions/publish-credits.ts';
import { publishMemberDeactivations } from './reactions/publish-member-deactivations.ts';
import { publishMemberNames } from './reactions/publish-member-names.ts';
import { removeMappings } from './reactions/remove-mappings.ts';
import { runSyncs } from './reactions/run-syncs.ts';
import { accountReadModels } from './read-models.ts';
import { accountRpcs } from './rpc/index.ts';

export { rpcWorkspaces, type WorkspaceCalls } from './clients/workspaces.ts';
export { configuredDirectory } from './directory/configured-directory.ts';
export { loadDirectorySettings } from './config.ts';
export type { DirectorySource, Workspaces };

export interface AccountDependencies extends AggregateDependencies {
  readonly workspaces: Workspaces;
  /** The source of users and groups of organizations. */
  readonly directory: DirectorySource;
  readonly ids: Ids;
}

/** Accounts, their credits, members, end users and directories: commands, read models, and the facts for others. */
export function createService(given: AccountDependencies) {
  return aggregateService(given, {
    readModels: accountReadModels,
    rpc: (opened) =>
      accountRpcs({
        ...opened,
        shown: {
          accounts: opened.shown(accountsProjection),
          members: opened.shown(membersProjection),
          endUsers: opened.shown(endUsersProjection),
          directories: opened.shown(scimDirectoryProjection),
          syncs: opened.shown(scimSyncsProjection),
        },
        ownersJoined: opened.projected(joinOwners(opened.eventStore)),
      }),
    reactions(opened) {
      const provisioning = provisionWorkspaces({
        ...opened,
        shown: { members: opened.shown(membersProjection) },
        membersHeld: opened.held(membersProjection),
        onRefused: (change) =>
          opened.logger.error('a membership is not as the directory says', change),
      });
      const provisioned = opened.projected(provisioning, scimDirectoryProjection);
      return [
        publishCredits(opened.bus),
        publishMemberDeactivations(opened.bus),
        publishMemberNames(opened.bus, opened.eventStore),
        joinOwners(opened.eventStore),
        provisioning,
        runSyncs({ ...opened, provisioned }),
      ];
    },
    follow: (opened) => [removeMappings(opened)],
  });
}
