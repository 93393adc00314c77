export type Kind = 'html' | 'office' | 'pdf' | 'text';

const textTypes =
  /^(text\/|application\/(?:[\w.-]+\+)?(?:json|xml|yaml|x-yaml|javascript|x-ndjson|toml|rtf)$)/;
const htmlTypes = /^(text\/html|application\/xhtml\+xml)$/;
const officeTypes =
  /^application\/(?:vnd\.(?:openxmlformats-officedocument|oasis\.opendocument)\.|vnd\.ms-\w+|msword)/;
const unknownTypes =
  /^(|application\/octet-stream|binary\/octet-stream|application\/(?:x-)?zip|text\/plain)$/;
const sniffedBytes = 1_024;

/** Returns the way in which bytes are read, or undefined for an image, a program and the like. */
export function kindOf(contentType: string, bytes: Uint8Array): Kind | undefined {
  const type = (contentType.split(';')[0] ?? '').trim().toLowerCase();
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, sniffedBytes));
  const isUnknown = unknownTypes.test(type);
  if (type === 'application/pdf' || (start.includes('%PDF-', 0, 'latin1') && isUnknown))
    return 'pdf';
  if (officeTypes.test(type) || (isUnknown && isOfficeLike(start))) return 'office';
  if (htmlTypes.test(type)) return 'html';
  if (isUnknown && /^\s*<(!doctype html|html)/i.test(start.toString('latin1'))) return 'html';
  if (textTypes.test(type)) return 'text';
  return isUnknown && !isBinary(start) ? 'text' : undefined;
}

/** The signatures of a ZIP archive, and of the binary documents that came before. */
const isOfficeLike = (start: Buffer) =>
  start.subarray(0, 4).equals(Buffer.from('PK\x03\x04', 'latin1')) ||
  start.subarray(0, 4).equals(Buffer.from('d0cf11e0', 'hex'));

/** Returns true if the bytes hold a zero that is not half of a character of UTF-16. */
const isBinary = (start: Buffer) =>
  start.includes(0) &&
  !(start[0] === 0xff && start[1] === 0xfe) &&
  !(start[0] === 0xfe && start[1] === 0xff);
