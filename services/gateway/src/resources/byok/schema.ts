import { field } from '@sluice/client-schemas';
import { providerSlugPattern } from '@sluice/provider-registry';
import { Type, type Static } from 'typebox';
import { hash, uuid } from '../../http/schemas/examples.ts';
import {
  closed,
  createdAt,
  flag,
  keyHash,
  nullable,
  optional,
  text,
  whole,
  workspaceId,
  writable,
} from '../../http/schemas/fields.ts';
import { pageFields } from '../../http/schemas/page.ts';
import { pageReply, reply } from '../../http/schemas/replies.ts';

const nameCharactersMax = 255;
const secretCharactersMax = 32_768;
const listedMax = 100;

const provider = Type.String({
  pattern: providerSlugPattern.source,
  mustBe: 'the slug of a provider: a well-known one, or one of GET /v1/providers',
  description:
    'Slug of the provider: a well-known one, one of GET /v1/providers, or a search engine such as exa.',
  examples: ['openai'],
});
const key = Type.String({
  writeOnly: true,
  minLength: 1,
  maxLength: secretCharactersMax,
  mustBe: 'the credential as the provider wants it: it is never shown again',
  description: 'The credential as the provider wants it. It is never shown again.',
  examples: ['sk-proj-0123456789-AbCd'],
});
const name = nullable(
  Type.String({
    minLength: 1,
    maxLength: nameCharactersMax,
    pattern: writable,
    mustBe: `a text of 1 to ${nameCharactersMax} characters without control characters, or null`,
    description: 'A name for people.',
    examples: ['Nightly reports'],
  }),
);
const listOf = (pattern: string, mustBe: string) =>
  nullable(
    Type.Array(Type.String({ pattern, mustBe }), {
      minItems: 1,
      maxItems: listedMax,
      mustBe: `1 to ${listedMax} entries, or null for all`,
    }),
  );

const switches = {
  disabled: flag('Whether it is switched off.', false),
  is_fallback: flag('Whether it is used only after the shared endpoints.', false),
  is_required: flag('Whether requests for its provider fail without it.', false),
  is_byok_only: flag('Whether requests fail instead of using a shared credential.', false),
  declared_zdr: nullable(flag('Whether the owner declares that the provider retains nothing.')),
};
const models = 'The only models that may be called; null: all.';
const hashes = 'Hashes of the only keys that may use it; null: all.';
const users = 'Ids of the only members who may use it; null: all.';

const settings = optional({
  name,
  ...switches,
  allowed_models: field(listOf('^[\\x21-\\x7e]{1,256}$', 'the name of a model'), models, [
    'sim/echo',
  ]),
  allowed_api_key_hashes: field(
    listOf(keyHash.source, 'the hash of a key: 64 hexadecimal digits in lower case'),
    hashes,
    [hash],
  ),
  allowed_user_ids: field(listOf('^[A-Za-z0-9_-]{1,128}$', 'the id of a user'), users, ['user_1']),
});

export const addCredentialBody = Type.Object(
  { provider, key, workspace_id: Type.Optional(workspaceId), ...settings },
  {
    ...closed,
    examples: [{ provider: 'openai', key: 'sk-proj-0123456789abcdef', name: 'Of the data team' }],
  },
);
export type AddCredentialBody = Static<typeof addCredentialBody>;

export const updateCredentialBody = Type.Object({ key: Type.Optional(key), ...settings }, closed);
export type UpdateCredentialBody = Static<typeof updateCredentialBody>;

const id = text('Id of the provider credential.', uuid);
const strings = nullable(Type.Array(Type.String()));
export const credentialView = Type.Object({
  id,
  provider: text('Slug of the provider.', 'openai'),
  label: text('The first and last characters of the credential.', 'sk-...AbCd'),
  name: nullable(text('A name for people.', 'Nightly reports')),
  workspace_id: nullable(text('Id of the workspace.', uuid)),
  ...switches,
  allowed_models: field(strings, models, ['sim/echo']),
  allowed_api_key_hashes: field(strings, hashes, [hash]),
  allowed_user_ids: field(strings, users, ['user_1']),
  sort_order: whole('Its place among those of the same provider; the lowest is tried first.'),
  created_at: createdAt,
});
export type CredentialView = Static<typeof credentialView>;

export const credentialReply = reply(credentialView);
export const credentialListReply = pageReply(credentialView);

export const listCredentialsQuery = Type.Object(
  {
    ...pageFields,
    workspace_id: Type.Optional(workspaceId),
    provider: Type.Optional(provider),
  },
  closed,
);

/** Takes any id: the contract lists no 400 here, so a malformed id is not found. */
export const anyCredentialId = Type.Object({ id });
export const wellFormedCredentialId = Type.Object({
  id: Type.String({
    ...id,
    format: 'uuid',
    maxLength: 36,
    mustBe: 'the UUID of a provider credential',
  }),
});
