import type { JsonObject } from '@sluice/client-schemas';
import { Type, type Static } from 'typebox';
import { flag, nullable, number, text } from '../../http/schemas/fields.ts';
import { reply } from '../../http/schemas/replies.ts';

/** An object whose form is told by its description. */
const anyObject = (description: string, examples: readonly JsonObject[]) =>
  Type.Unsafe<JsonObject>({ type: 'object', additionalProperties: true, description, examples });

const functionCall = {
  id: 'call_1',
  type: 'function',
  function: { name: 'weather', arguments: '{"city":"Bonn"}' },
};

const contentError = Type.Object(
  {
    message: text('Why it failed.', 'The provider is overloaded'),
    status: number('The HTTP status of the answer.', 503),
    provider_name: nullable(text('The provider of the last attempt.', 'openai')),
    raw: nullable(text('The answer of the provider: it is not kept.', '')),
    previous_errors: Type.Array(
      Type.Object({
        code: number('The status that the provider answered with, or else that of its error.', 503),
        message: text('The error.', 'The provider is overloaded'),
        provider_name: nullable(text('The provider.', 'openai')),
        raw: nullable(text('The answer of the provider: it is not kept.', '')),
      }),
      { description: 'The attempts before.' },
    ),
  },
  { description: 'The failure that ended the generation; null: none did.' },
);

/** The stored content of a generation. */
export const generationContentReply = reply(
  Type.Object({
    input: Type.Object(
      {
        messages: Type.Array(
          anyObject('A message in the form of `POST /chat/completions`.', [
            { role: 'user', content: 'Say hello' },
          ]),
          { description: 'The messages that the model read.' },
        ),
        tools: Type.Optional(
          Type.Array(
            anyObject('A tool in the form of `POST /chat/completions`.', [
              { type: 'function', function: { name: 'weather' } },
            ]),
            { description: 'The tools that the model had.' },
          ),
        ),
      },
      { description: 'What the model was asked.' },
    ),
    output: Type.Object(
      {
        completion: nullable(text('The text of the answer.', 'Hello')),
        reasoning: nullable(text('The thoughts of the model.', 'The user greets.')),
        tool_calls: Type.Optional(
          Type.Array(anyObject('A call in the form of `POST /chat/completions`.', [functionCall]), {
            description: 'The calls of functions.',
          }),
        ),
      },
      { description: 'What the model answered.' },
    ),
    error: nullable(contentError),
    is_truncated: flag('Whether some of it was too long to be stored.', false),
  }),
);
export type GenerationContentView = Static<typeof generationContentReply>['data'];
