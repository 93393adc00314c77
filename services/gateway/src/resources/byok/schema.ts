import { providerSlugPattern } from '@sluice/provider-registry';
import { Type, type Static } from 'typebox';
import { closed, keyHash, nullable, workspaceId, writable } from '../../http/schemas/fields.ts';
import { pageFields } from '../../http/schemas/page.ts';

const nameCharactersMax = 255;
const secretCharactersMax = 32_768;
const listedMax = 100;

const provider = Type.String({
  pattern: providerSlugPattern.source,
  mustBe: 'the slug of a provider: a well-known one, or one of GET /v1/providers',
  examples: ['openai', 'anthropic', 'simulator'],
});
const secret = Type.String({
  minLength: 1,
  maxLength: secretCharactersMax,
  mustBe: 'the credential as the provider wants it: it is never shown again',
  examples: ['sk-proj-0123456789-AbCd'],
});
const name = nullable(
  Type.String({
    minLength: 1,
    maxLength: nameCharactersMax,
    pattern: writable,
    mustBe: `a text of 1 to ${nameCharactersMax} characters without control characters, or null`,
  }),
);
const listOf = (pattern: string, what: string) =>
  nullable(
    Type.Array(Type.String({ pattern, mustBe: what }), {
      minItems: 1,
      maxItems: listedMax,
      mustBe: `1 to ${listedMax} entries, or null for all`,
    }),
  );

const settings = {
  name: Type.Optional(name),
  disabled: Type.Optional(Type.Boolean()),
  is_fallback: Type.Optional(Type.Boolean()),
  is_required: Type.Optional(Type.Boolean()),
  is_byok_only: Type.Optional(Type.Boolean()),
  declared_zdr: Type.Optional(nullable(Type.Boolean())),
  allowed_models: Type.Optional(listOf('^[\\x21-\\x7e]{1,256}$', 'the name of a model')),
  allowed_api_key_hashes: Type.Optional(
    listOf(keyHash.source, 'the hash of a key: 64 hexadecimal digits in lower case'),
  ),
  allowed_user_ids: Type.Optional(listOf('^[A-Za-z0-9_-]{1,128}$', 'the id of a user')),
};

export const addCredentialBody = Type.Object(
  { provider, key: secret, workspace_id: Type.Optional(workspaceId), ...settings },
  {
    ...closed,
    examples: [{ provider: 'openai', key: 'sk-proj-0123456789abcdef', name: 'Of the data team' }],
  },
);
export type AddCredentialBody = Static<typeof addCredentialBody>;

export const updateCredentialBody = Type.Object(
  { key: Type.Optional(secret), ...settings },
  closed,
);
export type UpdateCredentialBody = Static<typeof updateCredentialBody>;

const strings = nullable(Type.Array(Type.String()));
export const credentialView = Type.Object({
  id: Type.String(),
  provider: Type.String(),
  label: Type.String(),
  name: nullable(Type.String()),
  workspace_id: nullable(Type.String()),
  disabled: Type.Boolean(),
  is_fallback: Type.Boolean(),
  is_required: Type.Boolean(),
  is_byok_only: Type.Boolean(),
  declared_zdr: nullable(Type.Boolean()),
  allowed_models: strings,
  allowed_api_key_hashes: strings,
  allowed_user_ids: strings,
  sort_order: Type.Integer(),
  created_at: Type.String(),
});
export type CredentialView = Static<typeof credentialView>;

export const credentialReply = Type.Object({ data: credentialView });
export const credentialListReply = Type.Object({
  data: Type.Array(credentialView),
  total_count: Type.Integer(),
});
export const credentialDeletedReply = Type.Object({ deleted: Type.Boolean() });

export const listCredentialsQuery = Type.Object(
  {
    ...pageFields,
    workspace_id: Type.Optional(workspaceId),
    provider: Type.Optional(provider),
  },
  closed,
);

/** Takes any id: the contract lists no 400 here, so a malformed id is not found. */
export const anyCredentialId = Type.Object({ id: Type.String() });
export const wellFormedCredentialId = Type.Object({
  id: Type.String({
    format: 'uuid',
    maxLength: 36,
    mustBe: 'the UUID of a provider credential',
  }),
});
