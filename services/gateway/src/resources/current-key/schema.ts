import { Type, type Static } from 'typebox';
import { flag, nullable, text, whole } from '../../http/schemas/fields.ts';
import { reply } from '../../http/schemas/replies.ts';
import { spendFields } from '../../http/schemas/spend.ts';
import { keyView } from '../keys/schema.ts';

const {
  label,
  limit,
  limit_remaining,
  limit_reset,
  include_byok_in_limit,
  creator_user_id,
  expires_at,
  workspace_id,
} = keyView.properties;

export const currentKeyView = Type.Object({
  label,
  limit,
  limit_remaining,
  limit_reset,
  include_byok_in_limit,
  ...spendFields,
  is_free_tier: flag('Whether the account has never bought credits.', false),
  is_management_key: flag('Whether it manages, and does not infer.', false),
  is_provisioning_key: flag('The same as `is_management_key`, under its old name.', false),
  creator_user_id,
  expires_at,
  organization_id: nullable(text('Id of the organization.', 'org_1')),
  workspace_id: nullable(workspace_id),
  allowed_data_regions: Type.Array(Type.Enum(['global', 'europe', 'us'] as const), {
    description: 'Regions in which a provider may process a request.',
  }),
  free_model_daily_requests: Type.Object(
    {
      limit: whole('How many requests to free models the account may send today.', 50),
      used: whole('How many it has sent.', 2),
      remaining: whole('How many are left.', 48),
    },
    { description: 'Requests to free models today.' },
  ),
  rate_limit: Type.Object(
    {
      requests: whole('Always -1.', -1),
      interval: text('Without meaning.', '10s'),
      note: text('Says that the field is without meaning.', 'Deprecated: carries no information.'),
    },
    { description: 'An old field: requests are not limited by it.' },
  ),
});
export type CurrentKeyView = Static<typeof currentKeyView>;

export const currentKeyReply = reply(currentKeyView);
