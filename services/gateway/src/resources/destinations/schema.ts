import { field } from '@sluice/client-schemas';
import {
  type AnyConfig,
  configSchemas,
  destinationRegions,
  type DestinationType,
  destinationTypes,
  filterRules as rules,
} from '@sluice/destinations';
import { type Static, Type } from 'typebox';
import { hash, instant, uuid } from '../../http/schemas/examples.ts';
import {
  closed,
  createdAt,
  flag,
  keyHash,
  nullable,
  oneOf,
  optional,
  text,
  workspaceId,
  writable,
} from '../../http/schemas/fields.ts';
import { pageFields } from '../../http/schemas/page.ts';
import { pageReply, reply } from '../../http/schemas/replies.ts';

const nameCharactersMax = 200;
const hashesMax = 1_000;
const samplingRateMin = 0.0001;
const configFieldsMax = 32;

const type = Type.Enum(destinationTypes as [DestinationType, ...DestinationType[]], {
  type: 'string',
  description: 'What the traces are sent to. It never changes.',
  examples: ['webhook'],
});

/** One line a type: its fields, with a question mark at optional ones. */
const fieldsByType = destinationTypes
  .map((name) => {
    const required: readonly string[] = configSchemas[name].required;
    const fields = Object.keys(configSchemas[name].properties);
    const shown = fields.map((one) => (required.includes(one) ? one : `${one}?`));
    return `${name}: ${shown.join(', ')}`;
  })
  .join('; ');
const configExample = { url: 'https://hooks.example.com/traces' };
const anyConfig = Type.Unsafe<AnyConfig>(
  Type.Object({}, { additionalProperties: true, maxProperties: configFieldsMax }),
);
const secretConfig = Type.Unsafe<AnyConfig>(
  Type.Object(
    {},
    {
      additionalProperties: true,
      maxProperties: configFieldsMax,
      writeOnly: true,
      mustBe: 'an object with the settings of the type',
    },
  ),
);

const name = nullable(
  Type.String({
    minLength: 1,
    maxLength: nameCharactersMax,
    pattern: writable,
    mustBe: `a text of 1 to ${nameCharactersMax} characters without control characters, or null`,
    description: 'A name for people.',
    examples: ['Traces of the team'],
  }),
);

const enabled = flag('Whether traces are sent to it.', true);
const privacyMode = flag('Whether prompts and completions are left out.', false);
const costs = flag('Whether costs are sent.', false);
const identity = flag('Whether keys and users are sent.', false);
const requestContext = flag('Whether the context of the request is sent.', false);
const hashesText = 'Hashes of the only keys whose requests are sent; null: all.';
const samplingText = 'Share of the sessions that is sent. A session is sent whole or not at all.';
const rulesText = 'Rules that a generation must pass; null: every generation is sent.';
const regionsText = 'Only traffic that was served in one of these regions is sent.';

const settings = {
  enabled,
  privacy_mode: privacyMode,
  sampling_rate: Type.Number({
    minimum: samplingRateMin,
    maximum: 1,
    mustBe: `a number from ${samplingRateMin} to 1`,
    description: samplingText,
    examples: [1],
  }),
  api_key_hashes: field(
    nullable(
      Type.Array(
        Type.String({
          pattern: keyHash.source,
          mustBe: 'the hash of a key: 64 hexadecimal digits in lower case',
        }),
        { minItems: 1, maxItems: hashesMax, mustBe: `1 to ${hashesMax} hashes, or null for all` },
      ),
    ),
    hashesText,
    [hash],
  ),
  filter_rules: field(nullable(rules), rulesText),
  broadcast_generation_cost: costs,
  broadcast_generation_identity: identity,
  broadcast_generation_request_context: requestContext,
  regions: field(
    Type.Array(Type.Enum([...destinationRegions, 'eu'], { type: 'string' }), {
      minItems: 1,
      maxItems: 8,
      mustBe: 'at least one of global, europe, us',
    }),
    `${regionsText} eu is another name of europe.`,
    ['global'],
  ),
};

export const createDestinationBody = Type.Object(
  {
    type,
    name,
    config: field(
      secretConfig,
      `Settings of the type, with their secrets, and headers. ${fieldsByType}`,
      configExample,
    ),
    workspace_id: Type.Optional(workspaceId),
    ...optional(settings),
  },
  { ...closed, examples: [{ type: 'webhook', name: 'Traces of the team', config: configExample }] },
);
export type CreateDestinationBody = Static<typeof createDestinationBody>;

export const updateDestinationBody = Type.Object(
  optional({
    name,
    config: field(
      secretConfig,
      'Fields to change. Others stay, null takes one away, and a masked value is ignored.',
      configExample,
    ),
    ...settings,
  }),
  closed,
);
export type UpdateDestinationBody = Static<typeof updateDestinationBody>;

const id = text('Id of the destination.', uuid);
export const destinationView = Type.Object({
  id,
  type,
  name: nullable(text('A name for people.', 'Traces of the team')),
  workspace_id: text('Id of the workspace.', uuid),
  enabled,
  config: field(anyConfig, 'Settings of the type. Secrets and headers are masked.', configExample),
  privacy_mode: privacyMode,
  sampling_rate: Type.Number({ description: samplingText, examples: [1] }),
  api_key_hashes: field(nullable(Type.Array(Type.String())), hashesText, [hash]),
  filter_rules: field(nullable(rules), rulesText),
  broadcast_generation_cost: costs,
  broadcast_generation_identity: identity,
  broadcast_generation_request_context: requestContext,
  regions: field(Type.Array(oneOf([...destinationRegions], 'A region.')), regionsText, ['global']),
  created_at: createdAt,
  updated_at: text('When it was changed last, in UTC.', instant),
});
export type DestinationView = Static<typeof destinationView>;

export const destinationReply = reply(destinationView);
export const destinationListReply = pageReply(destinationView);

export const listDestinationsQuery = Type.Object(
  { ...pageFields, workspace_id: Type.Optional(workspaceId) },
  closed,
);

/** Takes any id: the contract lists no 400 here, so a malformed id is not found. */
export const anyDestinationId = Type.Object({ id });
export const wellFormedDestinationId = Type.Object({
  id: Type.String({ ...id, format: 'uuid', maxLength: 36, mustBe: 'the UUID of a destination' }),
});
