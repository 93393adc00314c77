import {
  type DirectoryFollower,
  followDirectoryFacts,
  requireWellFormed,
  subjectFilters,
} from '@sluice/bus';
import { type Clock, derivedId, isKeyHash, isPlainId, isUuid } from '@sluice/clock-and-ids';
import type { CommandContext } from '@sluice/es';
import {
  KeyDeleted,
  MemberDeactivated,
  WorkspaceDeleted,
} from '@sluice/protos/sluice/directory/v1/directory_events';
import type { Aggregates } from '../store/aggregates.ts';

export interface FollowDirectoryDependencies extends DirectoryFollower {
  readonly aggregates: Aggregates;
  readonly clock: Clock;
}

/**
 * Takes guardrails away from keys that were deleted and members that were deactivated, and notes which
 * workspaces have ended, until the signal aborts. Each fact is one command on one stream whose id
 * follows from the fact: it is carried out once, however often it comes, and comes again until it was.
 */
export async function followDirectory(follower: FollowDirectoryDependencies): Promise<void> {
  const { aggregates } = follower;
  await followDirectoryFacts(follower, [
    {
      durable: 'guardrail-retire-keys',
      filter: subjectFilters.keyDeleted,
      async handle(data) {
        const { factId, accountId, keyHash } = KeyDeleted.fromJSON(data);
        requireWellFormed(isPlainId(accountId) && isKeyHash(keyHash));
        const context = contextOf(follower, factId);
        const { occurredAt } = context;
        const command = { type: 'RetireKey', accountId, keyHash, occurredAt } as const;
        await aggregates.handleKey(keyHash, command, context);
      },
    },
    {
      durable: 'guardrail-release-members',
      filter: subjectFilters.memberDeactivated,
      async handle(data) {
        const { factId, accountId, userId } = MemberDeactivated.fromJSON(data);
        requireWellFormed(isPlainId(accountId) && isPlainId(userId));
        const context = contextOf(follower, factId);
        const { occurredAt } = context;
        const command = { type: 'UnassignAllFromMember', accountId, userId, occurredAt } as const;
        await aggregates.handleMember(command, context);
      },
    },
    {
      durable: 'guardrail-end-workspaces',
      filter: subjectFilters.workspaceDeleted,
      async handle(data) {
        const { factId, accountId, workspaceId } = WorkspaceDeleted.fromJSON(data);
        requireWellFormed(isPlainId(accountId) && isUuid(workspaceId));
        const context = contextOf(follower, factId);
        const { occurredAt } = context;
        const command = { type: 'EndWorkspace', accountId, workspaceId, occurredAt } as const;
        await aggregates.handleWorkspace(workspaceId, command, context);
      },
    },
  ]);
}

function contextOf({ clock }: FollowDirectoryDependencies, factId: string): CommandContext {
  requireWellFormed(factId !== '');
  const commandId = derivedId('guardrail', factId);
  return {
    commandId,
    occurredAt: clock.now().toISOString(),
    actor: { type: 'system', id: 'guardrail' },
    requestId: commandId,
  };
}
