import { Type, type Static } from 'typebox';
import * as examples from '../../http/schemas/examples.ts';
import {
  closed,
  createdAt,
  externalUser,
  flag,
  keyHash,
  keyName,
  limitReset,
  limitUsd,
  nullable,
  number,
  pastInstant,
  suppliedApiKey,
  text,
  truth,
  updatedAt,
  userId,
  utcInstant,
  workspaceId,
} from '../../http/schemas/fields.ts';
import { offset } from '../../http/schemas/page.ts';
import { listReply, reply } from '../../http/schemas/replies.ts';
import { spendFields } from '../../http/schemas/spend.ts';

const hash = text('The handle of the key: SHA-256 of its secret.', examples.hash);
const disabled = flag('Whether it is switched off.', false);
const includesByok = flag('Whether spend on own credentials counts against the limit.', false);

export const keyView = Type.Object({
  hash,
  label: text('The first and last characters of the secret.', 'sk-sluice-v1-abc...xyz'),
  name: text('A name for people.', 'Nightly reports'),
  disabled,
  limit: nullable(number('What it may spend, in USD; null: no limit.', 25)),
  limit_remaining: nullable(number('What is left of the limit, in USD; null: no limit.', 24.5)),
  limit_reset: nullable(
    text('The period after which the limit is whole again; null: never.', 'monthly'),
  ),
  include_byok_in_limit: includesByok,
  ...spendFields,
  created_at: createdAt,
  updated_at: updatedAt,
  expires_at: nullable(text('When it stops working, in UTC; null: never.', '2027-01-31T00:00:00Z')),
  creator_user_id: nullable(text('Id of the member it belongs to.', 'user_1')),
  external_user: nullable(text("The partner's name for its user.", 'customer-7')),
  workspace_id: text('Id of the workspace.', examples.uuid),
  last_used_at: nullable(text('When it was used last, in UTC; null: never.', examples.instant)),
});
export type KeyView = Static<typeof keyView>;

export const keyReply = reply(keyView);
export const keyListReply = listReply(keyView);
/** The secret stands beside the data and is shown this once. */
export const keyCreatedReply = Type.Object({
  ...keyReply.properties,
  key: text(
    'The secret, shown this once.',
    'sk-sluice-v1-0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLM',
  ),
});

const external = Type.Object(
  { user: externalUser, api_key: Type.Optional(suppliedApiKey) },
  {
    ...closed,
    description: "The partner's own user, and the secret that it has already given out.",
  },
);

export const createKeyBody = Type.Object(
  {
    name: keyName,
    limit: Type.Optional(limitUsd),
    limit_reset: Type.Optional(limitReset),
    include_byok_in_limit: Type.Optional(includesByok),
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
    disabled: Type.Optional(disabled),
    limit: Type.Optional(limitUsd),
    limit_reset: Type.Optional(limitReset),
    include_byok_in_limit: Type.Optional(includesByok),
  },
  { ...closed, examples: [{ disabled: true }] },
);
export type UpdateKeyBody = Static<typeof updateKeyBody>;

export const getKeyQuery = Type.Object({ at: Type.Optional(pastInstant) }, closed);

export const listKeysQuery = Type.Object(
  {
    offset,
    include_disabled: Type.Optional(truth('Whether disabled ones are listed as well.')),
    workspace_id: Type.Optional(workspaceId),
  },
  closed,
);

/** Takes any hash: the contract lists no 400 here, so a malformed hash is not found. */
export const anyHash = Type.Object({ hash });
export const wellFormedHash = Type.Object({
  hash: Type.String({
    ...hash,
    pattern: keyHash.source,
    mustBe: 'the hash of a key: 64 hexadecimal digits in lower case',
  }),
});
