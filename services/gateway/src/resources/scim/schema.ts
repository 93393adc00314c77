import { Type, type Static } from 'typebox';
import { closed, nullable, workspaceId } from '../../http/schemas/fields.ts';
import { pageFields } from '../../http/schemas/page.ts';

const role = Type.Enum(['admin', 'member'] as const, { type: 'string' });
const uuid = (mustBe: string) => Type.String({ format: 'uuid', maxLength: 36, mustBe });

export const groupView = Type.Object({
  id: Type.String(),
  organization_id: Type.String(),
  display_name: Type.String(),
  external_id: nullable(Type.String()),
  created_at: Type.String(),
  updated_at: Type.String(),
});
export type GroupView = Static<typeof groupView>;

export const mappingView = Type.Object({
  id: Type.String(),
  organization_id: Type.String(),
  scim_group_id: Type.String(),
  workspace_id: Type.String(),
  role: Type.String(),
  created_at: Type.String(),
  updated_at: Type.String(),
});
export type MappingView = Static<typeof mappingView>;

export const syncJobView = Type.Object({
  id: Type.String(),
  status: Type.String(),
  created_at: Type.String(),
  started_at: nullable(Type.String()),
  finished_at: nullable(Type.String()),
  synced_groups: nullable(Type.Integer()),
  deleted_groups: nullable(Type.Integer()),
  error_message: nullable(Type.String()),
});
export type SyncJobView = Static<typeof syncJobView>;

const pageOfViews = { total_count: Type.Integer() };
export const groupListReply = Type.Object({ data: Type.Array(groupView), ...pageOfViews });
export const mappingListReply = Type.Object({ data: Type.Array(mappingView), ...pageOfViews });
export const mappingReply = Type.Object({ data: mappingView });
export const mappingDeletedReply = Type.Object({ deleted: Type.Boolean() });
export const syncJobReply = Type.Object({ data: syncJobView });

export const scimListQuery = Type.Object(pageFields, closed);
export const createMappingBody = Type.Object(
  {
    scim_group_id: uuid('the UUID of a group of the directory'),
    workspace_id: workspaceId,
    role,
  },
  closed,
);
export const updateMappingBody = Type.Object({ role }, closed);
/** There is no default: who is let in now must not lose it, or stay, by mistake. */
export const deleteMappingQuery = Type.Object(
  { keep_members: Type.Enum(['true', 'false'] as const, { type: 'string' }) },
  closed,
);

/** Takes any id: the contract lists no 400 here, so a malformed id is not found. */
export const anyId = Type.Object({ id: Type.String() });
export const wellFormedId = Type.Object({ id: uuid('a UUID') });
