import { asBuffer } from '@sluice/inference';

const quote = 0x22;
const backslash = 0x5c;
const spaces: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

/**
 * Returns JSON without the white space between its values. It changes nothing else, so that texts which become equal
 * have the same value, to the last digit.
 */
export function withoutSpace(json: Uint8Array): Buffer {
  const bytes = asBuffer(json);
  const kept = Buffer.allocUnsafe(bytes.byteLength);
  let length = 0;
  for (let at = 0; at < bytes.byteLength; at += 1) {
    const byte = bytes[at] ?? 0;
    if (spaces.has(byte)) continue;
    if (byte !== quote) {
      kept[length++] = byte;
      continue;
    }
    const end = textEnd(bytes, at + 1);
    length += bytes.copy(kept, length, at, end);
    at = end - 1;
  }
  return kept.subarray(0, length);
}

/** Returns the place after the quote that ends a text which begins before `from`. */
function textEnd(bytes: Buffer, from: number): number {
  for (let at = from; ;) {
    const end = bytes.indexOf(quote, at);
    if (end < 0) return bytes.byteLength;
    let escapes = 0;
    while (bytes[end - 1 - escapes] === backslash && end - 1 - escapes >= from) escapes += 1;
    if (escapes % 2 === 0) return end + 1;
    at = end + 1;
  }
}
