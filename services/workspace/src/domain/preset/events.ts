import { event, type EventOf, instant, nullable } from '@sluice/es';
import { Type } from 'typebox';

/** Each event names the account and the workspace, so that no event needs another one to be understood. */
const preset = {
  accountId: Type.String(),
  workspaceId: Type.String(),
  presetId: Type.String(),
};

const version = Type.Integer({ description: 'From 1.' });

/** The events of a preset. Names and shapes are the storage format. */
export const presetStream = {
  category: 'preset',
  id: '<UUID of workspace and slug>',
  description: 'A named bundle of request settings of a workspace, with its versions.',
  events: {
    PresetCreated: event('Requests of the workspace may name the preset from now on.', {
      ...preset,
      slug: Type.String({ description: 'Its name in requests.' }),
      name: Type.String(),
      createdBy: nullable(Type.String(), 'The user; null: no person.'),
      createdAt: instant,
    }),
    PresetVersionCreated: event('There is a new version, which requests get from now on.', {
      ...preset,
      versionId: Type.String(),
      version,
      config: Type.String({
        description: 'JSON of an object: fields of a request, in the words of POST /responses.',
      }),
      systemPrompt: nullable(Type.String(), 'Instructions before those of no request; null: none.'),
      creatorId: Type.String({ description: 'Who made it: a user, or a management key.' }),
      createdAt: instant,
    }),
    PresetVersionDesignated: event('Requests get another version from now on.', {
      ...preset,
      version,
      changedAt: instant,
    }),
    PresetUpdated: event('Settings became others; those that are not named stayed.', {
      ...preset,
      changes: Type.Partial(
        Type.Object({
          name: Type.String(),
          description: nullable(Type.String()),
          status: Type.Enum(['active', 'disabled', 'archived'], {
            description: 'Requests get only an active preset.',
          }),
        }),
      ),
      changedAt: instant,
    }),
  },
};
export type PresetEvent = EventOf<typeof presetStream>;
export type PresetCreated = EventOf<typeof presetStream, 'PresetCreated'>;
export type PresetVersionCreated = EventOf<typeof presetStream, 'PresetVersionCreated'>;
export type PresetChanges = EventOf<typeof presetStream, 'PresetUpdated'>['data']['changes'];
export type PresetStatus = NonNullable<PresetChanges['status']>;
