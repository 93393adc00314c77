import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { field, integer, listOf, optional, text } from '../fields.ts';
import { serviceFields } from '../service-fields/fields.ts';
import { limits } from '../service-fields/limits.ts';
import { mediaUrl } from '../service-fields/media.ts';

/** The most documents of one request. */
export const rerankDocumentsMax = 2_048;

const document = Type.Union(
  [
    text({ min: 1 }),
    Type.Object({
      text: optional(text({ min: 1 }), 'The text of the document.', 'A ferry leaves at nine.'),
      image: optional(mediaUrl, 'Address of a picture, or a base64 data URL.'),
    }),
  ],
  { mustBe: 'a string or an object with text or image' },
);
export type RerankDocument = Static<typeof document>;

const { provider, user, session_id, trace } = serviceFields;

/** The body of `POST /rerank`. Fields that it does not name have no effect. */
export const rerankBody = Type.Object({
  model: field(
    text({ min: 1, max: limits.modelCharactersMax }),
    'Slug of the model.',
    'sim/rerank',
  ),
  query: field(text({ min: 1 }), 'What the documents are compared with.', 'ferry times'),
  documents: field(
    listOf(document, { min: 1, max: rerankDocumentsMax }),
    'The documents: texts, or objects with a text, a picture or both.',
    ['A ferry leaves at nine.', 'Bread is baked at five.'],
  ),
  top_n: optional(
    integer(1, Number.MAX_SAFE_INTEGER),
    'The most documents in the answer. Absent: all of them.',
    1,
  ),
  provider,
  user,
  session_id,
  trace,
});
export type RerankBody = Static<typeof rerankBody>;

const compiled = Compile(rerankBody);

/** True if the schema accepts the body. `problemsOf` lists why it does not. */
export function isRerankBody(value: unknown): value is RerankBody {
  return compiled.Check(value);
}
