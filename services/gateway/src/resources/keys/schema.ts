import { Type, type Static } from 'typebox';
import {
  closed,
  externalUser,
  keyHash,
  keyName,
  limitReset,
  limitUsd,
  nullable,
  suppliedApiKey,
  userId,
  utcInstant,
  workspaceId,
} from '../../http/schemas/fields.ts';
import { spendFields } from '../../http/schemas/spend.ts';

export const keyView = Type.Object({
  hash: Type.String(),
  label: Type.String(),
  name: Type.String(),
  disabled: Type.Boolean(),
  limit: nullable(Type.Number()),
  limit_remaining: nullable(Type.Number()),
  limit_reset: nullable(Type.String()),
  include_byok_in_limit: Type.Boolean(),
  ...spendFields,
  created_at: Type.String(),
  updated_at: Type.String(),
  expires_at: nullable(Type.String()),
  creator_user_id: nullable(Type.String()),
  external_user: nullable(Type.String()),
  workspace_id: Type.String(),
  last_used_at: nullable(Type.String()),
});
export type KeyView = Static<typeof keyView>;

export const keyReply = Type.Object({ data: keyView });
export const keyListReply = Type.Object({ data: Type.Array(keyView) });
/** The secret stands beside the data and is shown this once. */
export const keyCreatedReply = Type.Object({ data: keyView, key: Type.String() });
export const keyDeletedReply = Type.Object({ deleted: Type.Boolean() });

/** The partner's own user, and the secret that the partner gave out already. */
const external = Type.Object(
  { user: externalUser, api_key: Type.Optional(suppliedApiKey) },
  closed,
);

export const createKeyBody = Type.Object(
  {
    name: keyName,
    limit: Type.Optional(limitUsd),
    limit_reset: Type.Optional(limitReset),
    include_byok_in_limit: Type.Optional(Type.Boolean()),
    expires_at: Type.Optional(nullable(utcInstant)),
    creator_user_id: Type.Optional(userId),
    workspace_id: Type.Optional(workspaceId),
    external: Type.Optional(external),
  },
  { ...closed, examples: [{ name: 'Nightly reports', limit: 25, limit_reset: 'monthly' }] },
);
export type CreateKeyBody = Static<typeof createKeyBody>;

export const updateKeyBody = Type.Object(
  {
    name: Type.Optional(keyName),
    disabled: Type.Optional(Type.Boolean()),
    limit: Type.Optional(limitUsd),
    limit_reset: Type.Optional(limitReset),
    include_byok_in_limit: Type.Optional(Type.Boolean()),
  },
  { ...closed, examples: [{ disabled: true }] },
);
export type UpdateKeyBody = Static<typeof updateKeyBody>;

/** Query values are text: nothing is coerced. */
export const listKeysQuery = Type.Object(
  {
    offset: Type.Optional(
      Type.String({ pattern: '^\\d{1,9}$', mustBe: 'a whole number of 1 to 9 digits' }),
    ),
    include_disabled: Type.Optional(Type.Enum(['true', 'false'] as const, { type: 'string' })),
    workspace_id: Type.Optional(workspaceId),
  },
  closed,
);

/** Takes any hash: the contract lists no 400 here, so a malformed hash is not found. */
export const anyHash = Type.Object({ hash: Type.String() });
export const wellFormedHash = Type.Object({
  hash: Type.String({
    pattern: keyHash.source,
    mustBe: 'the hash of a key: 64 hexadecimal digits in lower case',
  }),
});
