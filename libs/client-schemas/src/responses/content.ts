import { type Static, Type } from 'typebox';
import { listOf, oneOf, optional, text, withOneOf } from '../fields.ts';
import { cacheControl } from '../service-fields/fields.ts';
import { limits } from '../service-fields/limits.ts';
import { base64, mediaData, mediaUrl } from '../service-fields/media.ts';

export const fileId = text({ min: 1, max: limits.identifierCharactersMax });

/** Two words for one thing: the prompt up to here is worth being cached. */
const cacheMarks = {
  prompt_cache_breakpoint: optional(Type.Object({ mode: oneOf('explicit') })),
  cache_control: optional(cacheControl),
};

const inputText = Type.Object({ type: Type.Literal('input_text'), text: text(), ...cacheMarks });
const inputImage = Type.Object(
  {
    type: Type.Literal('input_image'),
    detail: optional(oneOf('auto', 'low', 'high', 'original')),
    image_url: optional(mediaUrl),
    file_id: optional(fileId),
    ...cacheMarks,
  },
  withOneOf('image_url', 'file_id'),
);
const inputFile = Type.Object(
  {
    type: Type.Literal('input_file'),
    filename: optional(text({ max: limits.filenameCharactersMax })),
    file_data: optional(mediaData),
    file_url: optional(mediaUrl),
    file_id: optional(fileId),
    ...cacheMarks,
  },
  withOneOf('file_data', 'file_url', 'file_id'),
);
const inputAudio = Type.Object({
  type: Type.Literal('input_audio'),
  input_audio: Type.Object({ data: base64, format: oneOf('mp3', 'wav') }),
});
const inputVideo = Type.Object({
  type: Type.Literal('input_video'),
  video_url: mediaUrl,
  processing: optional(oneOf('agentic', 'static')),
});
const outputText = Type.Object({ type: Type.Literal('output_text'), text: text(), ...cacheMarks });
const refusal = Type.Object({ type: Type.Literal('refusal'), refusal: text(), ...cacheMarks });

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
