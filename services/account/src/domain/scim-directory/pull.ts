import type {
  ApplyGroups,
  ApplyUsers,
  DeleteMissingGroups,
  PullCommand,
  PulledGroup,
  RetireUsers,
} from './commands.ts';
import type { ScimDirectoryEvent, ScimUser } from './events.ts';
import { isLiving, type ScimDirectory } from './state.ts';

const usersPerEvent = 500;
const membersPerEvent = 1_000;
const retiredPerCommand = 1_000;

/** Returns the changes in a pull: none if it equals the known directory. */
export function pull(
  command: PullCommand,
  directory: ScimDirectory,
): readonly ScimDirectoryEvent[] {
  switch (command.type) {
    case 'ApplyUsers':
      return applyUsers(command, directory);
    case 'RetireUsers':
      return retireUsers(command, directory);
    case 'ApplyGroups':
      return command.groups.flatMap((group) => applyGroup(command, group, directory));
    case 'DeleteMissingGroups':
      return deleteMissing(command, directory);
  }
}

function applyUsers(command: ApplyUsers, { users }: ScimDirectory): readonly ScimDirectoryEvent[] {
  const changed = command.users.filter(({ externalId, email, isActive }) => {
    const known = users.get(externalId);
    return known?.email !== email || known.isActive !== isActive;
  });
  return usersChanged(command, changed);
}

function retireUsers(
  command: RetireUsers,
  { users }: ScimDirectory,
): readonly ScimDirectoryEvent[] {
  const missing = [...users.values()].filter(
    ({ externalId, isActive }) => isActive && !command.presentIds.has(externalId),
  );
  const retired = missing.slice(0, retiredPerCommand).map((user) => ({ ...user, isActive: false }));
  return usersChanged(command, retired);
}

function usersChanged(
  { accountId, jobId, occurredAt: changedAt }: ApplyUsers | RetireUsers,
  changed: readonly ScimUser[],
): readonly ScimDirectoryEvent[] {
  return slices(changed, usersPerEvent).map((users) => ({
    type: 'ScimUsersChanged',
    data: { accountId, jobId, users, changedAt },
  }));
}

function applyGroup(
  { accountId, jobId, occurredAt: changedAt }: ApplyGroups,
  { groupId, externalId, displayName, ...pulled }: PulledGroup,
  directory: ScimDirectory,
): readonly ScimDirectoryEvent[] {
  const known = directory.groups.get(groupId);
  const isSame = isLiving(directory, groupId) && known?.displayName === displayName;
  const group = { accountId, jobId, groupId, externalId, displayName, changedAt };
  const memberIds = new Set(pulled.memberIds);
  const before = known?.memberIds ?? new Set<string>();
  const added = [...memberIds].filter((id) => !before.has(id));
  const removed = [...before].filter((id) => !memberIds.has(id));
  const changed = (data: { added: readonly string[]; removed: readonly string[] }) => ({
    type: 'ScimGroupMembershipChanged' as const,
    data: { accountId, jobId, groupId, ...data, changedAt },
  });
  return [
    ...(isSame ? [] : [{ type: 'ScimGroupUpserted' as const, data: group }]),
    ...slices(added, membersPerEvent).map((some) => changed({ added: some, removed: [] })),
    ...slices(removed, membersPerEvent).map((some) => changed({ added: [], removed: some })),
  ];
}

function deleteMissing(
  { accountId, jobId, presentIds, occurredAt: deletedAt }: DeleteMissingGroups,
  directory: ScimDirectory,
): readonly ScimDirectoryEvent[] {
  return [...directory.groups.keys()]
    .filter((groupId) => isLiving(directory, groupId) && !presentIds.has(groupId))
    .map((groupId) => ({
      type: 'ScimGroupDeleted',
      data: { accountId, jobId, groupId, deletedAt },
    }));
}

function slices<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
