export type Kind = 'html' | 'pdf' | 'text';

const textTypes =
  /^(text\/|application\/(?:[\w.-]+\+)?(?:json|xml|yaml|x-yaml|javascript|x-ndjson|toml|rtf)$)/;
const htmlTypes = /^(text\/html|application\/xhtml\+xml)$/;
const unknownTypes = /^(|application\/octet-stream|binary\/octet-stream|text\/plain)$/;
const sniffedBytes = 1_024;

/** Returns how a body is read, or undefined for an image, a program and the like. */
export function kindOf(contentType: string, bytes: Uint8Array): Kind | undefined {
  const type = (contentType.split(';')[0] ?? '').trim().toLowerCase();
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, sniffedBytes));
  if (
    type === 'application/pdf' ||
    (start.includes('%PDF-', 0, 'latin1') && unknownTypes.test(type))
  )
    return 'pdf';
  if (htmlTypes.test(type)) return 'html';
  if (unknownTypes.test(type) && /^\s*<(!doctype html|html)/i.test(start.toString('latin1')))
    return 'html';
  if (textTypes.test(type)) return 'text';
  return unknownTypes.test(type) && !isBinary(start) ? 'text' : undefined;
}

/** Returns true if the bytes hold a zero that is not half of a character of UTF-16. */
const isBinary = (start: Buffer) =>
  start.includes(0) &&
  !(start[0] === 0xff && start[1] === 0xfe) &&
  !(start[0] === 0xfe && start[1] === 0xff);
