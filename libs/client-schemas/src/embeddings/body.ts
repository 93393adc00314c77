import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { field, integer, listOf, oneOf, optional, text } from '../fields.ts';
import { serviceFields } from '../service-fields/fields.ts';
import { limits } from '../service-fields/limits.ts';
import { inputContent } from './content.ts';

/** The most inputs of one request. */
export const embeddingInputsMax = 2_048;
const dimensionsMax = 65_536;
const tokenMax = 2 ** 31 - 1;
/** The body bounds the values of all inputs together. */
const tokensMax = 1_000_000;

const inputText = text({ min: 1 });
const token = integer(0, tokenMax);
const tokens = listOf(token, { min: 1, max: tokensMax });
/** One entry of a list: an input, or a token of the only input. */
const entry = Type.Union([inputText, token, tokens, inputContent], {
  mustBe: 'a string, a token, an array of tokens or an object with content',
});

const { provider, user, session_id, trace } = serviceFields;

/** The body of `POST /embeddings`. Fields that it does not name have no effect. */
export const embeddingsBody = Type.Object({
  model: field(text({ min: 1, max: limits.modelCharactersMax }), 'Slug of the model.', 'sim/echo'),
  input: field(
    Type.Union([inputText, listOf(entry, { min: 1, max: tokensMax })], {
      mustBe: 'a string or an array of inputs',
    }),
    'What gets a vector: a text, or a list of inputs.',
    'Say hello',
  ),
  dimensions: optional(
    integer(1, dimensionsMax),
    'The length of each vector, if the model can choose it.',
    256,
  ),
  encoding_format: optional(
    oneOf('float', 'base64'),
    'The form of each vector: numbers, or base64 of 32-bit floats.',
    'base64',
  ),
  input_type: optional(
    text({ min: 1, max: limits.identifierCharactersMax }),
    'The use of the vectors. Models that have no uses ignore it.',
    'search_query',
  ),
  provider,
  user,
  session_id,
  trace,
});
export type EmbeddingsBody = Static<typeof embeddingsBody>;
export type EmbeddingEntry = Static<typeof entry>;

const compiled = Compile(embeddingsBody);

/** True if the schema accepts the body. `problemsOf` lists why it does not. */
export function isEmbeddingsBody(value: unknown): value is EmbeddingsBody {
  return compiled.Check(value);
}
