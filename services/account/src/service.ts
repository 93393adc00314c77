import {
  aggregateService,
  type AggregateDependencies,
  beside,
} from '@sluice/boot/aggregate-service';
import type { Ids } from '@sluice/clock-and-ids';
import type { EndpointChecks } from './commands/private-endpoints/endpoint-checks.ts';
import type { Workspaces } from './commands/workspaces.ts';
import type { DirectorySource } from './directory/directory-source.ts';
import { accountsProjection } from './projections/accounts.ts';
import { endUsersProjection } from './projections/end-users.ts';
import { membersProjection } from './projections/members.ts';
import { privateEndpointsProjection } from './projections/private-endpoints.ts';
import { scimDirectoryProjection } from './projections/scim-directory.ts';
import { scimSyncsProjection } from './projections/scim-syncs.ts';
import { joinOwners } from './reactions/join-owners.ts';
import { provisionWorkspaces } from './reactions/provision-workspaces.ts';
import { publishCredits } from './reactions/publish-credits.ts';
import {
  publishEndpointChange,
  publishEndpointChanges,
} from './reactions/publish-endpoint-changes.ts';
import { publishMemberDeactivations } from './reactions/publish-member-deactivations.ts';
import { publishMemberNames } from './reactions/publish-member-names.ts';
import { removeMappings } from './reactions/remove-mappings.ts';
import { runSyncs } from './reactions/run-syncs.ts';
import { accountReadModels } from './read-models.ts';
import { accountRpcs } from './rpc/index.ts';

export { rpcEndpointChecks } from './clients/endpoint-checks.ts';
export { rpcWorkspaces, type WorkspaceCalls } from './clients/workspaces.ts';
export { configuredDirectory } from './directory/configured-directory.ts';
export { loadDirectorySettings } from './config.ts';
export type { DirectorySource, EndpointChecks, Workspaces };

export interface AccountDependencies extends AggregateDependencies {
  readonly workspaces: Workspaces;
  /** The source of users and groups of organizations. */
  readonly directory: DirectorySource;
  readonly ids: Ids;
  /** Routing, which checks private endpoints. */
  readonly endpointChecks: EndpointChecks;
}

/** Accounts with all that they own: commands, read models, and the facts for others. */
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
          privateEndpoints: opened.shown(privateEndpointsProjection),
        },
        publishEndpointChange: (accountId, isRevoked) =>
          beside(publishEndpointChange(opened.bus, { accountId, isRevoked })),
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
        publishEndpointChanges({
          ...opened,
          projected: opened.held(privateEndpointsProjection),
        }),
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
