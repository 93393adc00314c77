import { analyse } from 'chardet';

const declaredInType = /charset\s*=\s*["']?([^\s;"']+)/i;
const declaredInPage = /<meta[^>]{0,500}?charset\s*=\s*["']?([^\s"'/>;]+)/i;
const declaredInXml = /^<\?xml[^>]{0,200}?encoding\s*=\s*["']([^"']+)/i;
/** The bytes in which a page must declare its encoding (HTML standard, 13.2.3.2), with room for comments. */
const declarationBytes = 4_096;
const detectionBytes = 65_536;
const confidenceMin = 30;

/** Decodes the bytes of a page: its byte order mark decides, then its header, its declaration, and what fits. */
export function decodeText(bytes: Uint8Array, contentType: string): string {
  const marked = markOf(bytes);
  if (marked !== undefined) return decode(bytes, marked) ?? '';
  const head = Buffer.from(
    bytes.buffer,
    bytes.byteOffset,
    Math.min(bytes.length, declarationBytes),
  );
  const start = head.toString('latin1');
  const declared =
    declaredInType.exec(contentType)?.[1] ??
    declaredInXml.exec(start)?.[1] ??
    declaredInPage.exec(start)?.[1];
  const text = declared === undefined ? undefined : decode(bytes, fixed(declared));
  // A page that has bytes beyond what it declares is read as what fits.
  if (text !== undefined && !text.includes('\uFFFD')) return text;
  return decodeStrictly(bytes) ?? decode(bytes, detected(bytes)) ?? text ?? '';
}

function markOf([a, b, c]: Uint8Array): string | undefined {
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  return a === 0xff && b === 0xfe ? 'utf-16le' : undefined;
}

/** A declaration that can be read as ASCII is no UTF-16 (HTML standard, 13.2.3.2). */
const fixed = (label: string) => (/^utf-?16/i.test(label) ? 'utf-8' : label);

function decode(bytes: Uint8Array, label: string): string | undefined {
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return undefined;
  }
}

function decodeStrictly(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Returns the encoding that the bytes most likely have. Western pages without a declaration are windows-1252. */
function detected(bytes: Uint8Array): string {
  const [best] = analyse(bytes.subarray(0, detectionBytes));
  if (!best || best.confidence < confidenceMin) return 'windows-1252';
  return best.name.startsWith('ISO-8859-1') ? 'windows-1252' : best.name;
}
