import { Type, type Static } from 'typebox';
import * as examples from '../../http/schemas/examples.ts';
import {
  closed,
  createdAt,
  nullable,
  oneOf,
  text,
  truth,
  updatedAt,
  whole,
  workspaceId,
} from '../../http/schemas/fields.ts';
import { pageFields } from '../../http/schemas/page.ts';
import { pageReply, reply } from '../../http/schemas/replies.ts';

const { instant } = examples;
const roleText = 'What a member of the group may do in the workspace.';
const role = oneOf(['admin', 'member'], roleText, 'member');
const uuid = (mustBe: string, description: string) =>
  Type.String({ format: 'uuid', maxLength: 36, mustBe, description, examples: [examples.uuid] });

const organizationId = text('Id of the organization.', 'org_1');
const groupId = text('Id of the group.', examples.uuid);
const mappingId = text('Id of the mapping.', examples.uuid);

export const groupView = Type.Object({
  id: groupId,
  organization_id: organizationId,
  display_name: text('The name for people.', 'Research'),
  external_id: nullable(text('Its id in the directory that it came from.', 'group-7')),
  created_at: createdAt,
  updated_at: updatedAt,
});
export type GroupView = Static<typeof groupView>;

export const mappingView = Type.Object({
  id: mappingId,
  organization_id: organizationId,
  scim_group_id: groupId,
  workspace_id: text('Id of the workspace.', examples.uuid),
  role: text(roleText, 'member'),
  created_at: createdAt,
  updated_at: updatedAt,
});
export type MappingView = Static<typeof mappingView>;

const syncJobId = text('Id of the synchronization.', examples.uuid);
export const syncJobView = Type.Object({
  id: syncJobId,
  status: text('The state of the synchronization.', 'completed'),
  created_at: createdAt,
  started_at: nullable(text('When it began, in UTC.', instant)),
  finished_at: nullable(text('When it ended, in UTC; null: it has not.', instant)),
  synced_groups: nullable(whole('Number of groups that the synchronization wrote.', 3)),
  deleted_groups: nullable(whole('Number of groups that the synchronization deleted.')),
  error_message: nullable(text('Why it failed; null: it did not.')),
});
export type SyncJobView = Static<typeof syncJobView>;

export const groupListReply = pageReply(groupView);
export const mappingListReply = pageReply(mappingView);
export const mappingReply = reply(mappingView);
export const syncJobReply = reply(syncJobView);

export const scimListQuery = Type.Object(pageFields, closed);
export const createMappingBody = Type.Object(
  {
    scim_group_id: uuid('the UUID of a group of the directory', 'Id of the group.'),
    workspace_id: workspaceId,
    role,
  },
  closed,
);
export const updateMappingBody = Type.Object({ role }, closed);
/** There is no default: who is let in now must not lose it, or stay, by mistake. */
export const deleteMappingQuery = Type.Object(
  { keep_members: truth('Whether those stay members who came by the group.') },
  closed,
);

/** Takes any id: the contract lists no 400 here, so a malformed id is not found. */
export const anyMapping = Type.Object({ id: mappingId });
export const anySyncJob = Type.Object({ id: syncJobId });
export const wellFormedMapping = Type.Object({ id: uuid('a UUID', 'Id of the mapping.') });
