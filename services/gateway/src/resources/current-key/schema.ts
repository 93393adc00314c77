import { Type, type Static } from 'typebox';
import { nullable } from '../../http/schemas/fields.ts';
import { spendFields } from '../../http/schemas/spend.ts';

export const currentKeyView = Type.Object({
  label: Type.String(),
  limit: nullable(Type.Number()),
  limit_remaining: nullable(Type.Number()),
  limit_reset: nullable(Type.String()),
  include_byok_in_limit: Type.Boolean(),
  ...spendFields,
  is_free_tier: Type.Boolean(),
  is_management_key: Type.Boolean(),
  is_provisioning_key: Type.Boolean(),
  creator_user_id: nullable(Type.String()),
  expires_at: nullable(Type.String()),
  organization_id: nullable(Type.String()),
  workspace_id: nullable(Type.String()),
  allowed_data_regions: Type.Array(Type.Enum(['global', 'europe', 'us'] as const)),
  free_model_daily_requests: Type.Object({
    limit: Type.Integer(),
    used: Type.Integer(),
    remaining: Type.Integer(),
  }),
  rate_limit: Type.Object({
    requests: Type.Integer(),
    interval: Type.String(),
    note: Type.String(),
  }),
});
export type CurrentKeyView = Static<typeof currentKeyView>;

export const currentKeyReply = Type.Object({ data: currentKeyView });
