import { type Static, Type } from 'typebox';
import { field, kind, kindOf, listOf, text } from '../fields.ts';
import { limits } from '../service-fields/limits.ts';
import { fileData, filename, pictureUrl, sound, videoUrl } from '../service-fields/media.ts';

const inputText = Type.Object({
  type: kindOf('text', 'input_text'),
  text: field(text({ min: 1 }), 'The text.', 'Say hello'),
});
const image = Type.Object({
  type: kind('image_url'),
  image_url: field(Type.Object({ url: pictureUrl }), 'The picture.'),
});
const audio = Type.Object({ type: kind('input_audio'), input_audio: sound });
const video = Type.Object({
  type: kind('video_url'),
  video_url: field(Type.Object({ url: videoUrl }), 'The video.'),
});
const file = Type.Object({
  type: kind('file'),
  file: field(Type.Object({ filename, file_data: fileData }), 'The file.'),
});

const part = Type.Union([inputText, image, audio, video, file], { mustBe: 'a content part' });
export type EmbeddingPart = Static<typeof part>;

/** One input of several parts, which have one vector together. */
export const inputContent = Type.Object({
  content: field(listOf(part, { min: 1, max: limits.contentPartsMax }), 'The parts of the input.'),
});
