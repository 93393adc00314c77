import { Type, type Static } from 'typebox';
import { closed, keyHash, nullable, workspaceId } from '../../http/schemas/fields.ts';

const userIdLengthMax = 128;

export const activityQuery = Type.Object(
  {
    date: Type.Optional(
      Type.String({
        pattern: String.raw`^\d{4}-\d{2}-\d{2}$`,
        mustBe: 'a UTC day, like 2030-01-31',
      }),
    ),
    api_key_hash: Type.Optional(
      Type.String({
        pattern: keyHash.source,
        mustBe: 'the hash of a key: 64 hexadecimal digits in lower case',
      }),
    ),
    user_id: Type.Optional(
      Type.String({
        pattern: `^[\\x21-\\x7e]{1,${userIdLengthMax}}$`,
        mustBe: 'the id of a user',
      }),
    ),
    workspace_id: Type.Optional(workspaceId),
    app: Type.Optional(
      Type.String({
        pattern: String.raw`^[^\u0000-\u001f\u007f]{1,128}$`,
        mustBe: 'an application, as the rows of `group_by=app` name it: 1 to 128 characters',
      }),
    ),
    group_by: Type.Optional(Type.Enum(['workspace', 'app'] as const, { type: 'string' })),
  },
  closed,
);
export type ActivityQuery = Static<typeof activityQuery>;

export const activityRow = Type.Object({
  date: Type.String(),
  model: Type.String(),
  model_permaslug: Type.String(),
  endpoint_id: Type.String(),
  provider_name: Type.String(),
  requests: Type.Integer(),
  prompt_tokens: Type.Integer(),
  completion_tokens: Type.Integer(),
  reasoning_tokens: Type.Integer(),
  usage: Type.Number(),
  byok_usage_inference: Type.Number(),
  workspace_id: Type.Optional(Type.String()),
  app: Type.Optional(nullable(Type.String())),
});
export type ActivityRowView = Static<typeof activityRow>;

export const activityReply = Type.Object({ data: Type.Array(activityRow) });
