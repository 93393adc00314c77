import { type Static, Type } from 'typebox';
import { field, kind, listOf, oneOf, optional, text, withOneOf } from '../fields.ts';
import { cacheMarks } from '../service-fields/cache-control.ts';
import { annotations } from '../service-fields/file-annotation.ts';
import { limits } from '../service-fields/limits.ts';
import {
  detail,
  fileData,
  fileId,
  filename,
  mediaUrl,
  pictureUrl,
  sound,
  videoUrl,
} from '../service-fields/media.ts';

const inputText = Type.Object({
  type: kind('input_text'),
  text: field(text(), 'The text.', 'Say hello'),
  ...cacheMarks,
});
const inputImage = Type.Object(
  {
    type: kind('input_image'),
    detail,
    image_url: optional(pictureUrl),
    file_id: fileId,
    ...cacheMarks,
  },
  withOneOf('image_url', 'file_id'),
);
const inputFile = Type.Object(
  {
    type: kind('input_file'),
    filename,
    file_data: optional(fileData),
    file_url: optional(mediaUrl, 'Address of the file.', 'https://example.com/report.pdf'),
    file_id: fileId,
    ...cacheMarks,
  },
  withOneOf('file_data', 'file_url', 'file_id'),
);
const inputAudio = Type.Object({ type: kind('input_audio'), input_audio: sound });
const inputVideo = Type.Object({
  type: kind('input_video'),
  video_url: videoUrl,
  processing: optional(oneOf('agentic', 'static'), 'How the video is watched.', 'static'),
});
const outputText = Type.Object({
  type: kind('output_text'),
  text: field(text(), 'The text.', 'Say hello'),
  annotations,
  ...cacheMarks,
});
const refusal = Type.Object({
  type: kind('refusal'),
  refusal: field(text(), 'Why the model refused.', 'I cannot help with that.'),
  ...cacheMarks,
});

const part = { mustBe: 'a content part' };
const parts = { mustBe: 'a string or an array of content parts' };
const bounds = { max: limits.contentPartsMax };

/** A part that a tool may answer with. */
export const toolOutputPart = Type.Union([inputText, inputImage, inputFile], part);
const inputPart = Type.Union([inputText, inputImage, inputFile, inputAudio, inputVideo], part);
const outputPart = Type.Union(
  [outputText, refusal, inputText, inputImage, inputFile, inputAudio, inputVideo],
  part,
);

export type Part = Static<typeof outputPart>;

/** The content of a message to the model. */
export const inputContent = Type.Union([text(), listOf(inputPart, bounds)], parts);
/** The content of a message of the model. */
export const outputContent = Type.Union([text(), listOf(outputPart, bounds)], parts);
export const toolOutput = Type.Union([text(), listOf(toolOutputPart, bounds)], parts);
