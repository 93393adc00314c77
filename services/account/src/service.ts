import {
  aggregateService,
  type AggregateDependencies,
  type Opened,
} from '@sluice/boot/aggregate-service';
import type { Ids } from '@sluice/clock-and-ids';
import type { Workspaces } from './commands/workspaces.ts';
import type { DirectorySource } from './directory/directory-source.ts';
import { accountsProjection } from './projections/accounts.ts';
import { endUsersProjection } from './projections/end-users.ts';
import { membersProjection } from './projections/members.ts';
import { scimDirectoryProjection } from './projections/scim-directory.ts';
import { scimSyncsProjection } from './projections/scim-syncs.ts';
import { provisionWorkspaces } from './reactions/provision-workspaces.ts';
import { removeMappings } from './reactions/remove-mappings.ts';
import { runSyncs } from './reactions/run-syncs.ts';
import { joinOwners } from './reactions/join-owners.ts';
import { publishCredits } from './reactions/publish-credits.ts';
import { publishMemberDeactivations } from './reactions/publish-member-deactivations.ts';
import { publishMemberNames } from './reactions/publish-member-names.ts';
import { accountReadModels } from './read-models.ts';
import { accountRpc } from './rpc/account-service.ts';
import { auditRpc } from './rpc/audit-service.ts';
import { endUserRpc } from './rpc/end-user-service.ts';
import { idempotencyRpc } from './rpc/idempotency-service.ts';
import { scimRpc } from './rpc/scim-service.ts';

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
    rpc: rpcServices,
    reactions,
    follow: (opened) => [removeMappings(opened)],
  });
}

function rpcServices(opened: Opened<AccountDependencies>) {
  const { eventStore, projected } = opened;
  return [
    accountRpc({
      ...opened,
      projected: {
        accounts: projected(accountsProjection),
        members: projected(membersProjection),
        owners: projected(joinOwners(eventStore)),
      },
    }),
    endUserRpc({ ...opened, projected: projected(endUsersProjection) }),
    scimRpc({
      ...opened,
      projected: {
        directories: projected(scimDirectoryProjection),
        syncs: projected(scimSyncsProjection),
      },
    }),
    idempotencyRpc(opened.database),
    auditRpc(opened),
  ];
}

function reactions(opened: Opened<AccountDependencies>) {
  const { eventStore, bus, projected, logger } = opened;
  const provisioning = provisionWorkspaces({
    ...opened,
    membersProjected: projected(membersProjection),
    onRefused: (refused) => logger.error('a membership is not as the directory says', refused),
  });
  return [
    publishCredits(bus),
    publishMemberDeactivations(bus),
    publishMemberNames(bus, eventStore),
    joinOwners(eventStore),
    provisioning,
    runSyncs({ ...opened, provisioned: projected(provisioning, scimDirectoryProjection) }),
  ];
}
