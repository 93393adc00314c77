import { Type, type Static } from 'typebox';
import { closed, nullable } from '../../http/schemas/fields.ts';
import { pageFields } from '../../http/schemas/page.ts';

export const memberView = Type.Object({
  id: Type.String(),
  email: Type.String(),
  first_name: nullable(Type.String()),
  last_name: nullable(Type.String()),
  role: Type.Enum(['org:admin', 'org:member'] as const, { type: 'string' }),
});
export type MemberView = Static<typeof memberView>;

export const listMembersQuery = Type.Object(pageFields, closed);
export const memberListReply = Type.Object({
  data: Type.Array(memberView),
  total_count: Type.Integer(),
});

export const settingsReply = Type.Object({
  data: Type.Object({ id: Type.String(), is_filtered_model_catalog_enabled: Type.Boolean() }),
});
export const updateSettingsBody = Type.Object(
  { is_filtered_model_catalog_enabled: Type.Boolean() },
  closed,
);
