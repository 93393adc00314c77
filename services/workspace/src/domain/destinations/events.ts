import { event, type EventOf, instant, nullable, type Shape } from '@sluice/es';
import { Type } from 'typebox';

const settings = Type.Object(
  {
    name: nullable(Type.String(), 'null: it has none.'),
    enabled: Type.Boolean(),
    privacyMode: Type.Boolean({ description: 'Prompts and completions are not sent.' }),
    samplingRate: Type.Number({ description: 'The share of the sessions that is sent, up to 1.' }),
    apiKeyHashes: nullable(Type.Array(Type.String()), 'null: every key.'),
    filterRules: nullable(Type.String(), 'JSON of the rules; null: every generation.'),
    broadcastGenerationCost: Type.Boolean({ description: 'Costs are sent.' }),
    broadcastGenerationIdentity: Type.Boolean({ description: 'Keys and users are sent.' }),
    broadcastGenerationRequestContext: Type.Boolean({
      description: 'The context of the request is sent.',
    }),
    regions: Type.Array(Type.String(), {
      description: 'Regions whose traffic is sent: global, europe, us.',
    }),
  },
  { description: 'The settings of a destination, without its config.' },
);
export type DestinationSettings = Shape<typeof settings>;

const config = Type.String({
  description: 'JSON of the config, of each secret only its ends. The whole config is sealed.',
});
const secretId = Type.String({
  description: 'Names the row of the sealed config, until it is erased.',
});
const erasedSecretId = Type.String({ description: 'Names the sealed config that is erased.' });

/** The events of the destinations of an account. Names and shapes are the storage format. */
export const destinationsStream = {
  category: 'destinations',
  id: '<account id>',
  description:
    'Receivers of traces of the requests of workspaces. No secret is in them: `secretId` names a sealed row.',
  events: {
    DestinationCreated: event('Traces of a workspace are sent to a receiver from now on.', {
      destinationId: Type.String(),
      accountId: Type.String(),
      workspaceId: Type.String(),
      destinationType: Type.String({ description: 'A type of libs/destinations.' }),
      secretId,
      config,
      settings,
      createdAt: instant,
    }),
    DestinationUpdated: event('The settings are these from now on, all of them.', {
      destinationId: Type.String(),
      settings,
      changedAt: instant,
    }),
    DestinationConfigured: event('Another config took the place of the one before.', {
      destinationId: Type.String(),
      secretId,
      replacedSecretId: erasedSecretId,
      config,
      changedAt: instant,
    }),
    DestinationDeleted: event('The destination is gone for good, and its config is erased.', {
      destinationId: Type.String(),
      secretId: erasedSecretId,
      changedAt: instant,
    }),
  },
};
export type DestinationEvent = EventOf<typeof destinationsStream>;
export type DestinationCreated = EventOf<typeof destinationsStream, 'DestinationCreated'>;
