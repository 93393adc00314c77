import type { FileContent, MediaSource } from '@sluice/inference';

/** A file in the request itself whose bytes are a text: models read it as they read a message. */
export interface TextFile {
  readonly text: string;
  /** Returns the file with another text. */
  readonly withText: (text: string) => FileContent;
}

const textType = /^text\/|[/+](?:json|xml|ya?ml)$/u;
const textTypes: ReadonlySet<string> = new Set(
  'javascript typescript csv rtf sql toml x-sh x-ndjson ndjson jsonl x-www-form-urlencoded'
    .split(' ')
    .map((kind) => `application/${kind}`),
);
/** Bytes that show whether a file of an unknown kind is a text. */
const probedCharacters = 4_096;
const controlShareMax = 0.02;
const documentEndings =
  /\.(?:pdf|txt|md|csv|tsv|json|jsonl|xml|html?|ya?ml|docx?|xlsx?|pptx?|rtf|odt|log)$/iu;

/** Returns the text of a file; undefined: it is elsewhere, or no text. */
export function textOfFile(file: FileContent): TextFile | undefined {
  const { source } = file;
  if (source.type !== 'data' || !isText(source)) return undefined;
  const text = decoded(Buffer.from(source.base64, 'base64'));
  return {
    text,
    withText: (changed) => ({
      ...file,
      source: { ...source, base64: Buffer.from(changed).toString('base64') },
    }),
  };
}

/** Returns a changed name with the ending of the old one: upstreams know the kind of a file by it. */
export function withEnding(name: string, changed: string): string {
  const [ending = ''] = documentEndings.exec(name) ?? [];
  return changed.toLowerCase().endsWith(ending.toLowerCase()) ? changed : `${changed}${ending}`;
}

/** The declared kind says that it is a text, or the bytes do: a provider may read either. */
function isText({ mediaType, base64 }: Extract<MediaSource, { type: 'data' }>): boolean {
  if (textType.test(mediaType) || textTypes.has(mediaType)) return true;
  const probe = Buffer.from(base64.slice(0, probedCharacters), 'base64');
  if (isWide(probe)) return true;
  if (probe.length === 0 || probe.includes(0) || probe.subarray(0, 5).toString() === '%PDF-')
    return false;
  let controls = 0;
  for (const byte of probe) if (byte < 0x20 && (byte < 0x09 || byte > 0x0d)) controls += 1;
  // The last character may be cut.
  const unread = probe.subarray(0, -4).toString().split('\ufffd').length - 1;
  return controls + unread <= probe.length * controlShareMax;
}

/** UTF-16 says so at its beginning. */
function isWide(bytes: Buffer): boolean {
  const [first, second] = bytes;
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

function decoded(bytes: Buffer): string {
  if (!isWide(bytes)) return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const encoding = bytes[0] === 0xff ? 'utf-16le' : 'utf-16be';
  return new TextDecoder(encoding).decode(bytes);
}
