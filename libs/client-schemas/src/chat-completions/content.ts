import { type Static, Type } from 'typebox';
import { listOf, oneOf, optional, text, withOneOf } from '../fields.ts';
import { cacheControl } from '../service-fields/fields.ts';
import { limits } from '../service-fields/limits.ts';
import { base64, mediaUrl } from '../service-fields/media.ts';

/** Two words for one thing: the prompt up to here is worth being cached. */
const cacheMarks = {
  prompt_cache_breakpoint: optional(Type.Object({ mode: oneOf('explicit') })),
  cache_control: optional(cacheControl),
};

const textPart = Type.Object({ type: Type.Literal('text'), text: text(), ...cacheMarks });
const refusalPart = Type.Object({ type: Type.Literal('refusal'), refusal: text() });
const imagePart = Type.Object({
  type: Type.Literal('image_url'),
  image_url: Type.Object({
    url: mediaUrl,
    detail: optional(oneOf('auto', 'low', 'high', 'original')),
  }),
  ...cacheMarks,
});
const audioPart = Type.Object({
  type: Type.Literal('input_audio'),
  input_audio: Type.Object({ data: base64, format: oneOf('mp3', 'wav') }),
});
const videoPart = Type.Object({
  type: Type.Literal('video_url'),
  video_url: Type.Object({ url: mediaUrl }),
});
const filePart = Type.Object({
  type: Type.Literal('file'),
  file: Type.Object(
    {
      file_data: optional(mediaUrl),
      file_id: optional(text({ min: 1, max: limits.identifierCharactersMax })),
      filename: optional(text({ max: limits.filenameCharactersMax })),
    },
    withOneOf('file_data', 'file_id'),
  ),
  ...cacheMarks,
});

const part = { mustBe: 'a content part' };
const parts = { mustBe: 'a string or an array of content parts' };
const bounds = { max: limits.contentPartsMax };

export const imageOutput = imagePart;

/** The content of a system message. */
export const textContent = Type.Union([text(), listOf(textPart, bounds)], parts);
export const userContent = Type.Union(
  [text(), listOf(Type.Union([textPart, imagePart, audioPart, videoPart, filePart], part), bounds)],
  parts,
);
export const assistantContent = Type.Union(
  [text(), listOf(Type.Union([textPart, refusalPart], part), bounds)],
  parts,
);
export const toolContent = Type.Union(
  [text(), listOf(Type.Union([textPart, imagePart, filePart], part), bounds)],
  parts,
);

export type ChatPart =
  | Static<typeof textPart>
  | Static<typeof refusalPart>
  | Static<typeof imagePart>
  | Static<typeof audioPart>
  | Static<typeof videoPart>
  | Static<typeof filePart>;
