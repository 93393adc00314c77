import { type Static, Type } from 'typebox';
import { listOf, oneOf, optional, text } from '../fields.ts';
import { limits } from '../service-fields/limits.ts';
import { base64, mediaData, mediaUrl } from '../service-fields/media.ts';

const inputText = Type.Object({ type: oneOf('text', 'input_text'), text: text({ min: 1 }) });
const image = Type.Object({
  type: Type.Literal('image_url'),
  image_url: Type.Object({ url: mediaUrl }),
});
const audio = Type.Object({
  type: Type.Literal('input_audio'),
  input_audio: Type.Object({ data: base64, format: oneOf('mp3', 'wav') }),
});
const video = Type.Object({
  type: Type.Literal('video_url'),
  video_url: Type.Object({ url: mediaUrl }),
});
const file = Type.Object({
  type: Type.Literal('file'),
  file: Type.Object({
    filename: optional(text({ max: limits.filenameCharactersMax })),
    file_data: mediaData,
  }),
});

const part = Type.Union([inputText, image, audio, video, file], { mustBe: 'a content part' });
export type EmbeddingPart = Static<typeof part>;

/** One input of several parts, which have one vector together. */
export const inputContent = Type.Object({
  content: listOf(part, { min: 1, max: limits.contentPartsMax }),
});
