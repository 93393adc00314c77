import { Type, type Static } from 'typebox';
import { hash, uuid } from '../../http/schemas/examples.ts';
import {
  closed,
  keyHash,
  nullable,
  number,
  oneOf,
  optional,
  text,
  whole,
  workspaceId,
} from '../../http/schemas/fields.ts';
import { listReply } from '../../http/schemas/replies.ts';

const userIdLengthMax = 128;

export const activityQuery = Type.Object(
  optional({
    date: Type.String({
      pattern: String.raw`^\d{4}-\d{2}-\d{2}$`,
      mustBe: 'a UTC day, like 2030-01-31',
      description: 'A UTC day: only its use is counted.',
      examples: ['2026-11-20'],
    }),
    api_key_hash: Type.String({
      pattern: keyHash.source,
      mustBe: 'the hash of a key: 64 hexadecimal digits in lower case',
      description: 'Hash of a key: only its use is counted.',
      examples: [hash],
    }),
    user_id: Type.String({
      pattern: `^[\\x21-\\x7e]{1,${userIdLengthMax}}$`,
      mustBe: 'the id of a user',
      description: 'Id of a user: only the use of their keys is counted.',
      examples: ['user_1'],
    }),
    workspace_id: workspaceId,
    app: Type.String({
      pattern: String.raw`^[^\u0000-\u001f\u007f]{1,128}$`,
      mustBe: 'an application, as the rows of `group_by=app` name it: 1 to 128 characters',
      description:
        'An application, as the rows of `group_by=app` name it: only its use is counted.',
      examples: ['Codex'],
    }),
    group_by: oneOf(['workspace', 'app'], 'What the rows are split by.'),
  }),
  closed,
);
export type ActivityQuery = Static<typeof activityQuery>;

export const activityRow = Type.Object({
  date: text('A UTC day.', '2026-11-20'),
  model: text('Slug of the model.', 'sim/echo'),
  model_permaslug: text('Slug of this version of the model.', 'sim/echo'),
  endpoint_id: text('Id of the endpoint.', uuid),
  provider_name: text('Name of the provider.', 'Simulator'),
  requests: whole('Number of requests.', 12),
  prompt_tokens: whole('Number of tokens of questions.', 240),
  completion_tokens: whole('Number of tokens of answers.', 120),
  reasoning_tokens: whole('Number of tokens of thoughts.'),
  usage: number('What was spent, in USD.', 0.000_022),
  byok_usage_inference: number('What the provider charged the own credential, in USD.', 0.001),
  workspace_id: Type.Optional(text('Id of the workspace.', uuid)),
  app: Type.Optional(
    nullable(
      text(
        'The application: its title, or else a well-known one by its user agent, or else the origin of its page.',
        'Codex',
      ),
    ),
  ),
});
export type ActivityRowView = Static<typeof activityRow>;

export const activityReply = listReply(activityRow);
