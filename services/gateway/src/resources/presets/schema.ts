import { field } from '@sluice/client-schemas';
import { presetBodies, type PresetFormat } from '@sluice/client-schemas/presets';
import { Type, type Static } from 'typebox';
import * as examples from '../../http/schemas/examples.ts';
import {
  closed,
  createdAt,
  nullable,
  oneOf,
  optional,
  text,
  whole,
} from '../../http/schemas/fields.ts';
import { pageFields } from '../../http/schemas/page.ts';
import { pageReply, reply } from '../../http/schemas/replies.ts';

const nameCharactersMax = 100;
const descriptionCharactersMax = 500;
const referenceLengthMax = 50;
const versionsMax = 500;
const statuses = ['active', 'disabled', 'archived'] as const;

export const presetVersionView = Type.Object({
  id: text('Id of the version.', examples.uuid),
  preset_id: text('Id of the preset.', examples.uuid),
  version: whole('The number of the version, from 1.', 1),
  config: Type.Record(Type.String(), Type.Unknown(), {
    description: 'The fields that requests get, in the words of `POST /responses`.',
    examples: [{ model: 'sim/echo', temperature: 0 }],
  }),
  system_prompt: nullable(text('The instructions of requests that have none.', 'Be brief.')),
  creator_id: text('The user, or the key, that made the version.', 'user_1'),
  created_at: createdAt,
  updated_at: createdAt,
});
export type PresetVersionView = Static<typeof presetVersionView>;

const preset = {
  id: text('Id of the preset.', examples.uuid),
  slug: text('The name in requests.', 'support'),
  name: text('A name for people.', 'Support'),
  description: nullable(text('A text for people.', 'Answers of the help desk')),
  status: text('Requests get only an `active` preset.', 'active'),
  status_updated_at: nullable(text('When the status changed last; null: never.', examples.instant)),
  workspace_id: text('Id of the workspace.', examples.uuid),
  creator_user_id: nullable(text('The user that made it; null: no user.', 'user_1')),
  designated_version_id: text('Id of the version that requests get.', examples.uuid),
  created_at: createdAt,
  updated_at: text('When it was changed last, in UTC.', examples.instant),
};
export const presetView = Type.Object(preset);
export type PresetView = Static<typeof presetView>;
export const presetDetails = Type.Object({
  ...preset,
  designated_version: field(presetVersionView, 'The version that requests get.'),
});

export const presetReply = reply(presetDetails);
export const presetListReply = pageReply(presetView);
export const presetVersionReply = reply(presetVersionView);
export const presetVersionListReply = pageReply(presetVersionView);

export const presetParams = Type.Object({ slug: text('The name in requests.', 'support') });
export const presetVersionParams = Type.Object({
  slug: text('The name in requests.', 'support'),
  version: Type.String({
    pattern: '^[1-9]\\d{0,5}$',
    mustBe: 'the number of a version',
    description: 'The number of the version.',
    examples: ['1'],
  }),
});

/** The place of a preset. A regular key is of one workspace. */
export const presetPlace = {
  workspace_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: referenceLengthMax,
      mustBe: 'the id or the slug of a workspace',
      description: 'Id or slug of the workspace; absent: that of the key, or the default one.',
      examples: ['research'],
    }),
  ),
};
export const presetQuery = Type.Object(presetPlace, closed);
export const listPresetsQuery = Type.Object({ ...presetPlace, ...pageFields }, closed);

export const updatePresetBody = Type.Object(
  optional({
    name: Type.String({
      minLength: 1,
      maxLength: nameCharactersMax,
      mustBe: `a text of 1 to ${nameCharactersMax} characters`,
      description: 'A name for people.',
      examples: ['Support'],
    }),
    description: nullable(
      Type.String({
        maxLength: descriptionCharactersMax,
        mustBe: `a text of at most ${descriptionCharactersMax} characters, or null`,
        description: 'A text for people.',
        examples: ['Answers of the help desk'],
      }),
    ),
    status: oneOf([...statuses], 'Requests get only an `active` preset.', 'disabled'),
    designated_version: Type.Integer({
      minimum: 1,
      maximum: versionsMax,
      mustBe: 'the number of a version',
      description: 'The number of the version that requests get.',
      examples: [1],
    }),
  }),
  closed,
);

/** The body of a request that makes a preset. The workspace service checks it. */
export const presetBodyOf = (format: PresetFormat) => ({
  ...presetBodies[format],
  examples: [{ model: 'sim/echo', temperature: 0 }],
});
