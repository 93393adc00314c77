import { Type } from 'typebox';
import { text, word } from '../fields.ts';
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
