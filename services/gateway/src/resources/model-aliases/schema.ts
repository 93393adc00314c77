import { Type, type Static } from 'typebox';
import * as examples from '../../http/schemas/examples.ts';
import { closed, createdAt, nullable, optional, text, whole } from '../../http/schemas/fields.ts';
import { listReply, reply } from '../../http/schemas/replies.ts';

const modelsMax = 8;
const modelLengthMax = 256;
const descriptionCharactersMax = 500;
const referenceLengthMax = 50;

export const modelAliasView = Type.Object({
  id: text('Id of the alias.', examples.uuid),
  name: text('The name that requests give as their model.', 'team/default'),
  workspace_id: nullable(
    text('Id of the workspace where it holds; null: in the whole account.', examples.uuid),
  ),
  models: Type.Array(Type.String(), {
    description: 'The models that it stands for, the first choice first.',
    examples: [['sim/echo']],
  }),
  budget_model: nullable(
    text('The model that goes on when a budget does not hold the others.', 'sim/chat'),
  ),
  description: nullable(text('A text for people.', 'What the team uses')),
  version: whole('The number of the version, from 1.', 1),
  created_at: createdAt,
  updated_at: text('When it was changed last, in UTC.', examples.instant),
});
export type ModelAliasView = Static<typeof modelAliasView>;

export const modelAliasReply = reply(modelAliasView);
export const modelAliasListReply = listReply(modelAliasView);

export const modelAliasParams = Type.Object({
  author: text('The first part of the name.', 'team'),
  slug: text('The second part of the name.', 'default'),
});

export const modelAliasQuery = Type.Object(
  {
    workspace_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: referenceLengthMax,
        mustBe: 'the id or the slug of a workspace',
        description: 'Id or slug of the workspace where it holds; absent: in the whole account.',
        examples: ['research'],
      }),
    ),
  },
  closed,
);

const model = Type.String({
  minLength: 1,
  maxLength: modelLengthMax,
  mustBe: 'the slug of a model',
});

export const setModelAliasBody = Type.Object(
  {
    models: Type.Array(model, {
      minItems: 1,
      maxItems: modelsMax,
      mustBe: `1 to ${modelsMax} slugs of models`,
      description: 'The models that it stands for, the first choice first.',
      examples: [['sim/echo']],
    }),
    ...optional({
      budget_model: nullable(
        Type.String({
          minLength: 1,
          maxLength: modelLengthMax,
          mustBe: 'the slug of a model, or null',
          description: 'The model that goes on when a budget does not hold the others.',
          examples: ['sim/chat'],
        }),
      ),
      description: nullable(
        Type.String({
          maxLength: descriptionCharactersMax,
          mustBe: `a text of at most ${descriptionCharactersMax} characters, or null`,
          description: 'A text for people.',
          examples: ['What the team uses'],
        }),
      ),
    }),
  },
  closed,
);
