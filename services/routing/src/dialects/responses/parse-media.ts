import type { MediaSource } from '@sluice/inference';
import type { Fields } from './fields.ts';
import { identifierCharactersMax, mediaBytesMax, urlCharactersMax } from './limits.ts';

const dataUrlPattern = /^data:([a-z0-9.+-]+\/[a-z0-9.+-]+)(?:;[a-z0-9=_.-]+)*;base64,/i;
const base64Pattern = /^[A-Za-z0-9+/]*={0,2}$/;
const bytesPerQuad = 3;
const charactersPerQuad = 4;

/** A field that holds an http(s) URL or a base64 data URL; undefined when it is absent or bad. */
export function mediaUrl(fields: Fields, name: string): MediaSource | undefined {
  const text = fields.string(name);
  if (text === undefined) return undefined;
  if (text.startsWith('data:')) return dataSource(fields, name, text);
  if (text.length > urlCharactersMax)
    return fields.refuse(name, `must have at most ${String(urlCharactersMax)} characters`);
  const { protocol } = URL.parse(text) ?? {};
  if (protocol !== 'http:' && protocol !== 'https:')
    return fields.refuse(name, 'must be an http(s) URL or a base64 data URL');
  return { type: 'url', url: text };
}

/** A field that holds a base64 data URL. */
export function mediaData(fields: Fields, name: string): MediaSource | undefined {
  const text = fields.string(name);
  return text === undefined ? undefined : dataSource(fields, name, text);
}

/** A field that holds the id under which the upstream knows a medium. */
export function mediaId(fields: Fields, name: string): MediaSource | undefined {
  const id = fields.string(name, { charactersMin: 1, charactersMax: identifierCharactersMax });
  return id === undefined ? undefined : { type: 'id', id };
}

/** A field that holds plain base64. */
export function base64Field(fields: Fields, name: string): string | undefined {
  const text = fields.requiredString(name, { charactersMin: 1 });
  return text === undefined || isBase64(fields, name, text) ? text : undefined;
}

function dataSource(fields: Fields, name: string, text: string): MediaSource | undefined {
  const match = dataUrlPattern.exec(text);
  if (!match) return fields.refuse(name, 'must be a base64 data URL');
  const [prefix, mediaType = ''] = match;
  const base64 = text.slice(prefix.length);
  if (!isBase64(fields, name, base64)) return undefined;
  return { type: 'data', mediaType: mediaType.toLowerCase(), base64 };
}

function isBase64(fields: Fields, name: string, text: string): boolean {
  if (!base64Pattern.test(text)) fields.refuse(name, 'is not valid base64');
  else if ((text.length / charactersPerQuad) * bytesPerQuad > mediaBytesMax)
    fields.refuse(name, `must have at most ${String(mediaBytesMax)} bytes`);
  else return true;
  return false;
}
