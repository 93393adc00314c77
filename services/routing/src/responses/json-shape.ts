/** How much structure a JSON text has, whatever else it is: counted without building anything. */
export interface JsonShape {
  /** Containers within containers. */
  readonly depth: number;
  /** Members, elements and containers: an upper bound of what a parser would have to build. */
  readonly values: number;
}

const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * Reads the structure of UTF-8 JSON up to a bound; beyond it counting ends. A text that is no JSON gets
 * some shape, too. It takes a small part of the time of parsing, most of all where there are long texts.
 */
export function jsonShape(bytes: Uint8Array, upTo: JsonShape): JsonShape {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let level = 0;
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case quote:
        at = endOfString(text, at);
        break;
      case comma:
        values += 1;
        break;
      case openBrace:
      case openBracket:
        values += 1;
        level += 1;
        if (level > depth) depth = level;
        break;
      case closeBrace:
      case closeBracket:
        level -= 1;
        break;
      default:
    }
    if (depth > upTo.depth || values > upTo.values) break;
  }
  return { depth, values };
}

/** The place of the quote that ends a string; the end of the text when none does. */
function endOfString(text: Buffer, start: number): number {
  const next = text.indexOf(quote, start + 1);
  if (next === -1) return text.length;
  // Long texts have few quotes: where the next one is not escaped, nothing else has to be read.
  if (text[next - 1] !== backslash) return next;
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === quote) return at;
    if (text[at] === backslash) at += 1;
  }
  return text.length;
}
