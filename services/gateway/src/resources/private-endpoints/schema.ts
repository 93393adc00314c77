import { field } from '@sluice/client-schemas';
import { providerSlugPattern } from '@sluice/provider-registry';
import { Type, type Static } from 'typebox';
import { uuid } from '../../http/schemas/examples.ts';
import {
  closed,
  createdAt,
  flag,
  nullable,
  oneOf,
  text,
  truth,
  whole,
  workspaceId,
  writable,
} from '../../http/schemas/fields.ts';
import { reply } from '../../http/schemas/replies.ts';

const modelCharactersMax = 256;
const upstreamModelCharactersMax = 512;
const baseUrlCharactersMax = 2_048;
const statuses = ['draft', 'active', 'disabled'] as const;
const regions = ['global', 'europe', 'us'] as const;

const model = Type.String({
  minLength: 1,
  maxLength: modelCharactersMax,
  pattern: writable,
  mustBe: 'the permanent slug of a model of GET /v1/models',
  description: 'The permanent slug (or the id) of a model of GET /v1/models.',
  examples: ['openai/gpt-4o-2024-11-20'],
});
const provider = Type.String({
  pattern: providerSlugPattern.source,
  mustBe: 'the slug of a provider',
  description: 'Slug of the provider. Its protocol is spoken with the upstream.',
  examples: ['azure'],
});
const upstreamModelId = Type.String({
  minLength: 1,
  maxLength: upstreamModelCharactersMax,
  pattern: writable,
  mustBe: `a text of 1 to ${upstreamModelCharactersMax} characters without control characters`,
  description: 'The name of the model at the upstream.',
  examples: ['our-gpt-4o'],
});
const baseUrl = Type.String({
  minLength: 1,
  maxLength: baseUrlCharactersMax,
  mustBe: 'an https URL',
  description:
    'Where the API begins. Only azure may do without it: its credentials tell an address.',
  examples: ['https://llm.example.com/v1'],
});
const declaredZdr = nullable(
  flag('Whether the owner declares that the upstream keeps nothing; null: the provider’s policy.'),
);
const declaredRegion = nullable(
  oneOf([...regions], 'The region that the owner declares; null: none.', 'europe'),
);
const price = (tokens: string) =>
  Type.String({
    pattern: String.raw`^\d{1,6}(\.\d{1,18})?$`,
    mustBe: 'USD per token as a decimal string, with at most 18 decimal places',
    description: `USD for a token of the ${tokens}, as a decimal string.`,
    examples: ['0.0000025'],
  });
const pricing = Type.Object({ prompt: price('input'), completion: price('output') }, closed);

export const createEndpointBody = Type.Object(
  {
    model_permaslug: model,
    provider_slug: provider,
    upstream_model_id: upstreamModelId,
    base_url: Type.Optional(baseUrl),
    declared_zdr: Type.Optional(declaredZdr),
    declared_region: Type.Optional(declaredRegion),
    pricing: Type.Optional(
      field(pricing, 'The negotiated rates; absent: the price of the catalog, or else 0.'),
    ),
    activate: Type.Optional(
      field(
        Type.Object({ workspace_id: workspaceId }, closed),
        'Validate with a credential of this workspace and activate at once. If that fails, the draft stays.',
      ),
    ),
  },
  {
    ...closed,
    examples: [
      { model_permaslug: 'sim/echo', provider_slug: 'azure', upstream_model_id: 'our-echo' },
    ],
  },
);
export type CreateEndpointBody = Static<typeof createEndpointBody>;

export const updateEndpointBody = Type.Object(
  {
    upstream_model_id: upstreamModelId,
    base_url: Type.Optional(baseUrl),
    declared_zdr: Type.Optional(declaredZdr),
    declared_region: Type.Optional(declaredRegion),
  },
  { ...closed, examples: [{ upstream_model_id: 'our-echo' }] },
);
export type UpdateEndpointBody = Static<typeof updateEndpointBody>;

export const endpointPricingBody = Type.Object(
  { pricing: field(pricing, 'The rates of later requests.') },
  closed,
);
export const validateEndpointBody = Type.Object({ workspace_id: workspaceId }, closed);

const summary = {
  id: text('Id of the private endpoint.', uuid),
  status: oneOf([...statuses], 'Requests get only an `active` endpoint.', 'active'),
  model_permaslug: text('The permanent slug of the model.', 'openai/gpt-4o-2024-11-20'),
  model_slug: nullable(
    text('The id of the model; null: the catalog has it no more.', 'openai/gpt-4o'),
  ),
  model_name: nullable(text('The name of the model; null: as above.', 'OpenAI: GPT-4o')),
  provider_name: text('The name of the provider.', 'Azure'),
};
export const endpointSummary = Type.Object({ ...summary, created_at: createdAt });
export type EndpointSummary = Static<typeof endpointSummary>;

export const managedEndpoint = Type.Object({
  ...summary,
  created_at: createdAt,
  declared_zdr: declaredZdr,
  declared_region: declaredRegion,
});
export type ManagedEndpoint = Static<typeof managedEndpoint>;

export const fullEndpoint = Type.Object({
  ...summary,
  provider_slug: nullable(text('Slug of the provider; null: the catalog has it no more.', 'azure')),
  base_url: nullable(
    text(
      'Where the API of the upstream begins; null: the credential says it.',
      'https://llm.example.com/v1',
    ),
  ),
  upstream_model_id: text('The name of the model at the upstream.', 'our-gpt-4o'),
  declared_zdr: declaredZdr,
  declared_region: declaredRegion,
  pricing: field(
    Type.Object({
      prompt: text('USD for a token of the input.', '0.0000025'),
      completion: text('USD for a token of the output.', '0.00001'),
    }),
    'The rates of requests from now on.',
  ),
});
export type FullEndpoint = Static<typeof fullEndpoint>;

export const validationView = Type.Object({
  passed: flag('Whether all checks passed.'),
  checks: field(
    Type.Array(
      Type.Object({
        name: text('The check.', 'auth_ok'),
        passed: flag('Whether it passed.'),
        reason: Type.Optional(
          text(
            'Why it failed. Absent too when it was not made, because an earlier one failed.',
            'upstream_error',
          ),
        ),
        actual_model: Type.Optional(text('The model that answered.', 'gpt-4o-2024-11-20')),
        upstream_message: Type.Optional(
          text('What the upstream says, without secrets.', 'Unauthorized'),
        ),
        upstream_status: Type.Optional(whole('The status of the upstream, 400 to 599.', 401)),
      }),
    ),
    'The checks in their order.',
  ),
});
export type ValidationView = Static<typeof validationView>;

export const endpointListReply = reply(Type.Array(endpointSummary));
export const managedEndpointReply = reply(managedEndpoint);
export const fullEndpointReply = reply(fullEndpoint);
export const validationReply = reply(validationView);
export const deletedEndpointReply = reply(
  Type.Object({ id: text('Id of the private endpoint.', uuid) }),
);

/** Routes that have no 400 answer 404 to a text that is no id. */
export const anyEndpointId = Type.Object({ id: text('Id of the private endpoint.', uuid) });
export const wellFormedEndpointId = Type.Object({
  id: Type.String({
    format: 'uuid',
    maxLength: 36,
    mustBe: 'the UUID of a private endpoint',
    description: 'Id of the private endpoint.',
    examples: [uuid],
  }),
});
export const deleteEndpointQuery = Type.Object(
  { draft_only: Type.Optional(truth('Whether only a draft is deleted.')) },
  closed,
);
