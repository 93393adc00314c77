import { Type } from 'typebox';
import { field, oneOf, optional, text, word } from '../fields.ts';
import { limits } from './limits.ts';

const dataUrlPattern = /^data:([a-z0-9.+-]+\/[a-z0-9.+-]+)(?:;[a-z0-9=_.-]+)*;base64,/i;
const base64Pattern = /^[A-Za-z0-9+/]*={0,2}$/;
const bytesPerQuad = 3;
const charactersPerQuad = 4;

/** The parts of a base64 data URL; undefined: it is none. */
export function dataUrlParts(
  url: string,
): { readonly mediaType: string; readonly base64: string } | undefined {
  const match = dataUrlPattern.exec(url);
  if (!match) return undefined;
  const [prefix, mediaType = ''] = match;
  return { mediaType: mediaType.toLowerCase(), base64: url.slice(prefix.length) };
}

function base64Problem(data: string): string | undefined {
  if (!base64Pattern.test(data)) return 'is not valid base64';
  if ((data.length / charactersPerQuad) * bytesPerQuad > limits.mediaBytesMax)
    return `must have at most ${String(limits.mediaBytesMax)} bytes`;
  return undefined;
}

function dataUrlProblem(url: string): string | undefined {
  const parts = dataUrlParts(url);
  return parts ? base64Problem(parts.base64) : 'must be a base64 data URL';
}

function mediaUrlProblem(url: string): string | undefined {
  if (url.startsWith('data:')) return dataUrlProblem(url);
  if (url.length > limits.urlCharactersMax)
    return `must have at most ${String(limits.urlCharactersMax)} characters`;
  const { protocol } = URL.parse(url) ?? {};
  return protocol === 'http:' || protocol === 'https:'
    ? undefined
    : 'must be an http(s) URL or a base64 data URL';
}

const refined = (schema: typeof word, problemOf: (value: string) => string | undefined) =>
  Type.Refine(
    schema,
    (value) => problemOf(value) === undefined,
    (value) => problemOf(value) ?? '',
  );

/** An http(s) URL, or a base64 data URL. */
export const mediaUrl = refined(text(), mediaUrlProblem);
/** A base64 data URL. */
export const mediaData = refined(text(), dataUrlProblem);
/** Plain base64. */
export const base64 = refined(word, base64Problem);

export const fileId = optional(
  text({ min: 1, max: limits.identifierCharactersMax }),
  'Id of a file at the provider.',
  'file-1',
);
export const filename = optional(
  text({ max: limits.filenameCharactersMax }),
  'Name of the file.',
  'report.pdf',
);
const dataUrl = ['The file as a base64 data URL.', 'data:text/plain;base64,aGVsbG8='] as const;
export const fileData = field(mediaData, ...dataUrl);
/** A data URL, or the address of the file. */
export const fileContent = optional(mediaUrl, ...dataUrl);

const pictureText = 'Address of the picture, or a base64 data URL.';
const pictureAddress = 'https://example.com/cat.png';
export const pictureUrl = field(mediaUrl, pictureText, pictureAddress);
/** The address of a picture, which the provider alone checks. */
export const anyPictureUrl = field(text(), pictureText, pictureAddress);
export const detail = optional(
  oneOf('auto', 'low', 'high', 'original'),
  'How closely the model looks at the picture.',
);
export const videoUrl = field(
  mediaUrl,
  'Address of the video, or a base64 data URL.',
  'https://example.com/cat.mp4',
);
export const sound = Type.Object(
  {
    data: field(base64, 'The sound in base64.', 'aGVsbG8='),
    format: field(oneOf('mp3', 'wav'), 'The encoding of the sound.'),
  },
  { description: 'A sound in base64.' },
);
