import { type Static, Type } from 'typebox';
import { field, kind, listOf, text, withOneOf } from '../fields.ts';
import { cacheMarks } from '../service-fields/cache-control.ts';
import { limits } from '../service-fields/limits.ts';
import {
  detail,
  fileContent,
  fileId,
  filename,
  pictureUrl,
  sound,
  videoUrl,
} from '../service-fields/media.ts';

const textPart = Type.Object({
  type: kind('text'),
  text: field(text(), 'The text.', 'Say hello'),
  ...cacheMarks,
});
const refusalPart = Type.Object({
  type: kind('refusal'),
  refusal: field(text(), 'Why the model refused.', 'I cannot help with that.'),
});
const imagePart = Type.Object({
  type: kind('image_url'),
  image_url: field(Type.Object({ url: pictureUrl, detail }), 'The picture.'),
  ...cacheMarks,
});
const audioPart = Type.Object({ type: kind('input_audio'), input_audio: sound });
const videoPart = Type.Object({
  type: kind('video_url'),
  video_url: field(Type.Object({ url: videoUrl }), 'The video.'),
});
const filePart = Type.Object({
  type: kind('file'),
  file: field(
    Type.Object(
      { file_data: fileContent, file_id: fileId, filename },
      withOneOf('file_data', 'file_id'),
    ),
    'The file.',
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
