import type { Position, RecordedEvent } from '@sluice/es';
import { type Projection, requireHeld } from '@sluice/read-model';
import { provision, type ProvisionDependencies, type Reason } from '../commands/provision.ts';
import { memberEvents } from '../store/member-events.ts';
import { scimDirectoryEvents } from '../store/scim-directory-events.ts';

/**
 * Updates memberships after each change of a directory, a mapping or a member: in the order of the log and one
 * after the other, so that the last update has the current state.
 */
export function provisionWorkspaces(
  dependencies: ProvisionDependencies & {
    readonly membersHeld: (position: Position) => Promise<boolean>;
  },
): Projection {
  const provisionOne = provision(dependencies);
  return {
    projection: 'account.provision_workspaces',
    version: 1,
    streamPrefixes: [scimDirectoryEvents.streamPrefix, memberEvents.streamPrefix],
    tables: [],
    async apply(_transaction, events) {
      const ofMembers = events.filter(({ stream }) => stream.startsWith(memberEvents.streamPrefix));
      await requireHeld(dependencies.membersHeld, ofMembers);
      for (const [accountId, reason] of Map.groupBy(events, accountOf)) {
        const [first, ...others] = reason;
        if (first) await provisionOne(accountId, [first, ...others] satisfies Reason);
      }
    },
  };
}

function accountOf(recorded: RecordedEvent): string {
  const events = recorded.stream.startsWith(memberEvents.streamPrefix)
    ? memberEvents
    : scimDirectoryEvents;
  return events.decode(recorded).data.accountId;
}
