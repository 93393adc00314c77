import type { CacheMarker, ContentPart } from '@sluice/inference';
import { Fields, isObject } from './fields.ts';
import type { Issues } from './issues.ts';
import { contentPartsMax, filenameCharactersMax } from './limits.ts';
import { parseCacheControl } from './parse-cache.ts';
import { base64Field, mediaData, mediaId, mediaUrl } from './parse-media.ts';

const inputTypes = ['input_text', 'input_image', 'input_file', 'input_audio', 'input_video'];
const outputTypes = ['output_text', 'refusal', ...inputTypes];
/** The content types that a tool may answer with. */
export const toolOutputTypes: readonly string[] = ['input_text', 'input_image', 'input_file'];

/** A message's `content`: a string, a list of parts, or null. */
export function parseContent(
  item: Fields,
  role: 'system' | 'developer' | 'user' | 'assistant',
  issues: Issues,
): readonly ContentPart[] {
  const content = item.value('content');
  if (content === undefined) return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (!Array.isArray(content)) {
    item.refuse('content', 'must be a string or an array of content parts');
    return [];
  }
  return parseParts(item, 'content', role === 'assistant' ? outputTypes : inputTypes, issues);
}

/** A list of parts of these types. */
export function parseParts(
  item: Fields,
  name: string,
  types: readonly string[],
  issues: Issues,
): readonly ContentPart[] {
  const parts = item.array(name, contentPartsMax) ?? [];
  return parts.flatMap((part, index) => {
    const parsed = parsePart(part, `${item.path(name)}[${String(index)}]`, types, issues);
    return parsed === undefined ? [] : [parsed];
  });
}

/** One part of these types; undefined when it is bad. */
export function parsePart(
  part: unknown,
  path: string,
  types: readonly string[],
  issues: Issues,
): ContentPart | undefined {
  if (!isObject(part)) return issues.add(path, 'must be a content part', 'invalid_prompt');
  const fields = new Fields(part, { path, issues, code: 'invalid_prompt' });
  const type = types.find((known) => known === part['type']);
  switch (type) {
    case undefined:
      return fields.refuse('type', `must be one of ${types.join(', ')}`);
    case 'input_image':
      return parseImage(fields, issues);
    case 'input_file':
      return parseFile(fields, issues);
    case 'input_audio':
      return parseAudio(fields, issues);
    case 'input_video':
      return parseVideo(fields);
    default:
      return parseText(fields, type === 'refusal' ? 'refusal' : 'text', issues);
  }
}

function parseText(fields: Fields, name: string, issues: Issues): ContentPart | undefined {
  const text = fields.requiredString(name);
  const cache = parseMarker(fields, issues);
  if (text === undefined) return undefined;
  return { type: 'text', text, ...(cache && { cache }) };
}

/** `prompt_cache_breakpoint` and `cache_control` mark the same thing. */
function parseMarker(fields: Fields, issues: Issues): CacheMarker | undefined {
  const breakpoint = fields.object('prompt_cache_breakpoint');
  if (breakpoint) {
    const path = fields.path('prompt_cache_breakpoint');
    const inner = new Fields(breakpoint, { path, issues, code: 'invalid_prompt' });
    if (!inner.has('mode')) inner.refuse('mode', 'is required');
    inner.oneOf('mode', ['explicit']);
  }
  return parseCacheControl(fields, issues) ?? (breakpoint && { ttl: '5m' });
}

function parseImage(fields: Fields, issues: Issues): ContentPart | undefined {
  const cache = parseMarker(fields, issues);
  const detail = fields.oneOf('detail', ['auto', 'low', 'high', 'original']) ?? 'auto';
  const source = mediaUrl(fields, 'image_url') ?? mediaId(fields, 'file_id');
  if (source) return { type: 'image', source, detail, ...(cache && { cache }) };
  return hasAny(fields, ['image_url', 'file_id'])
    ? undefined
    : fields.refuse('image_url', 'is required, or file_id');
}

function parseFile(fields: Fields, issues: Issues): ContentPart | undefined {
  const cache = parseMarker(fields, issues);
  const filename = fields.string('filename', { charactersMax: filenameCharactersMax });
  const source =
    mediaData(fields, 'file_data') ?? mediaUrl(fields, 'file_url') ?? mediaId(fields, 'file_id');
  if (source) return { type: 'file', source, filename, ...(cache && { cache }) };
  return hasAny(fields, ['file_data', 'file_url', 'file_id'])
    ? undefined
    : fields.refuse('file_data', 'is required, or file_url, or file_id');
}

function parseAudio(fields: Fields, issues: Issues): ContentPart | undefined {
  const audio = fields.object('input_audio');
  if (!audio)
    return fields.has('input_audio') ? undefined : fields.refuse('input_audio', 'is required');
  const path = fields.path('input_audio');
  const inner = new Fields(audio, { path, issues, code: 'invalid_prompt' });
  const data = base64Field(inner, 'data');
  if (!inner.has('format')) return inner.refuse('format', 'is required');
  const format = inner.oneOf('format', ['mp3', 'wav']);
  return data === undefined || format === undefined ? undefined : { type: 'audio', data, format };
}

function parseVideo(fields: Fields): ContentPart | undefined {
  const processing = fields.oneOf('processing', ['agentic', 'static']);
  const source = mediaUrl(fields, 'video_url');
  if (source) return { type: 'video', source, ...(processing && { processing }) };
  return fields.has('video_url') ? undefined : fields.refuse('video_url', 'is required');
}

function hasAny(fields: Fields, names: readonly string[]): boolean {
  return names.some((name) => fields.has(name));
}
