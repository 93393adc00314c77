import { event, type EventOf, instant, nullable, type Shape } from '@sluice/es';
import { Type } from 'typebox';

const price = (tokens: string) =>
  Type.String({ description: `A decimal: USD for a token of the ${tokens}.` });

const pricing = Type.Object({ prompt: price('input'), completion: price('output') });
export type EndpointPricing = Shape<typeof pricing>;

const baseUrl = nullable(Type.String(), 'null: the credential tells the address.');
const declaredZdr = nullable(
  Type.Boolean(),
  "The organization's own word that its upstream keeps nothing; null: the provider's policy.",
);
const declaredRegion = nullable(Type.Enum(['global', 'europe', 'us']), 'null: not declared.');
const upstreamModelId = Type.String({ description: 'The name of the model at the upstream.' });

/** Each event names the account, so that no event needs another one to be understood. */
const endpoint = { accountId: Type.String(), endpointId: Type.String() };
const change = { ...endpoint, changedAt: instant };

/** The events of the private endpoints of an organization. Names and shapes are the storage format. */
export const privateEndpointsStream = {
  category: 'privateEndpoints',
  id: '<account id>',
  description: 'Endpoints that an organization runs itself for models of the catalog.',
  events: {
    PrivateEndpointDrafted: event('There is a draft, which serves no request yet.', {
      ...endpoint,
      modelPermaslug: Type.String({ description: 'The canonical slug of the model.' }),
      provider: Type.String({ description: 'The slug of the provider.' }),
      providerName: Type.String(),
      upstreamModelId,
      baseUrl,
      declaredZdr,
      declaredRegion,
      pricing,
      idempotency: nullable(
        Type.Object({
          keyDigest: Type.String({ description: 'SHA-256 of the key that the client chose.' }),
          bodyDigest: Type.String({ description: 'SHA-256 of the values of the request.' }),
        }),
        'null: the request had no key.',
      ),
      draftedAt: instant,
    }),
    PrivateEndpointReconfigured: event(
      'A draft has another upstream or other declarations. Its validation is void.',
      { ...endpoint, upstreamModelId, baseUrl, declaredZdr, declaredRegion, changedAt: instant },
    ),
    PrivateEndpointValidated: event('The upstream of a draft passed all checks.', {
      ...endpoint,
      workspaceId: Type.String({ description: 'The workspace whose credential was used.' }),
      credentialId: Type.String(),
      secretId: Type.String({ description: 'Names the secret of the credential.' }),
      validatedAt: instant,
    }),
    PrivateEndpointValidationFailed: event(
      'The upstream of a draft failed checks, other ones than the last time.',
      {
        ...endpoint,
        workspaceId: Type.String(),
        failures: Type.Array(Type.Object({ check: Type.String(), reason: Type.String() })),
        failedAt: instant,
      },
    ),
    PrivateEndpointActivated: event('Requests of the organization get it from now on.', change),
    PrivateEndpointDisabled: event('Requests do not get it for now.', change),
    PrivateEndpointEnabled: event('Requests get it again.', change),
    PrivateEndpointRepriced: event('Later requests have other rates.', { ...change, pricing }),
    PrivateEndpointDeleted: event('It is gone.', change),
  },
};
export type PrivateEndpointsEvent = EventOf<typeof privateEndpointsStream>;
export type PrivateEndpointDrafted = EventOf<
  typeof privateEndpointsStream,
  'PrivateEndpointDrafted'
>;
export type PrivateEndpointReconfigured = EventOf<
  typeof privateEndpointsStream,
  'PrivateEndpointReconfigured'
>;
export type DeclaredRegion = NonNullable<PrivateEndpointDrafted['data']['declaredRegion']>;
