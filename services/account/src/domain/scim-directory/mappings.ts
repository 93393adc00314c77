import { invalidRequest, type Rejection } from '@sluice/errors';
import type {
  ChangeMappingRole,
  CreateMapping,
  DeleteMapping,
  MappingCommand,
  RemoveWorkspaceMappings,
} from './commands.ts';
import type { ScimDirectoryEvent, ScimRole } from './events.ts';
import { isLiving, livingMapping, type ScimDirectory, type ScimMapping } from './state.ts';

export type ScimRejection = Rejection<'invalid_request' | 'not_found' | 'conflict'>;
type Decision = readonly ScimDirectoryEvent[] | ScimRejection;

const mappingsMax = 1_000;
const roles: readonly string[] = ['admin', 'member'] satisfies ScimRole[];

/** The mappings of groups to workspaces, with a role: each pair once. */
export function mapping(command: MappingCommand, directory: ScimDirectory): Decision {
  switch (command.type) {
    case 'CreateMapping':
      return create(command, directory);
    case 'ChangeMappingRole':
      return changeRole(command, directory);
    case 'DeleteMapping':
      return remove(command, directory);
    case 'RemoveWorkspaceMappings':
      return removeAll(command, directory);
  }
}

function create(command: CreateMapping, directory: ScimDirectory): Decision {
  const { accountId, mappingId, groupId, workspaceId, role, occurredAt: createdAt } = command;
  if (!isRole(role)) return wrongRole;
  if (!isLiving(directory, groupId))
    return { rejected: 'not_found', message: 'There is no such group' };
  const mappings = [...directory.mappings.values()];
  if (mappings.some((one) => one.groupId === groupId && one.workspaceId === workspaceId))
    return { rejected: 'conflict', message: 'This group is mapped to this workspace already' };
  if (mappings.length >= mappingsMax)
    return invalidRequest([
      { path: 'scim_group_id', message: `there are ${mappingsMax} mappings already` },
    ]);
  const data = { accountId, mappingId, groupId, workspaceId, role, createdAt };
  return [{ type: 'ScimMappingCreated', data }];
}

function changeRole(command: ChangeMappingRole, directory: ScimDirectory): Decision {
  const { accountId, mappingId, role, occurredAt: changedAt } = command;
  if (!isRole(role)) return wrongRole;
  const known = livingMapping(directory, mappingId);
  if (!known) return notFound;
  if (known.role === role) return [];
  return [{ type: 'ScimMappingRoleChanged', data: { accountId, mappingId, role, changedAt } }];
}

function remove(command: DeleteMapping, directory: ScimDirectory): Decision {
  const known = livingMapping(directory, command.mappingId);
  return known ? [deleted(command, known, command.keepMembers)] : notFound;
}

function removeAll(command: RemoveWorkspaceMappings, { mappings }: ScimDirectory): Decision {
  return [...mappings.values()]
    .filter(({ workspaceId }) => workspaceId === command.workspaceId)
    .map((one) => deleted(command, one, false));
}

function deleted(
  { accountId, occurredAt: deletedAt }: DeleteMapping | RemoveWorkspaceMappings,
  { mappingId, workspaceId }: ScimMapping,
  keepMembers: boolean,
): ScimDirectoryEvent {
  const data = { accountId, mappingId, workspaceId, keepMembers, deletedAt };
  return { type: 'ScimMappingDeleted', data };
}

const notFound: ScimRejection = { rejected: 'not_found', message: 'There is no such mapping' };
const wrongRole = invalidRequest([{ path: 'role', message: 'must be admin or member' }]);

function isRole(role: string): role is ScimRole {
  return roles.includes(role);
}
