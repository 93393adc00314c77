/** A JSON object with unchecked values. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function asObject(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined;
}

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Returns an id or a keyword of 1 to 256 printable ASCII characters, else undefined. */
export function asWord(value: unknown): string | undefined {
  return typeof value === 'string' && wordPattern.test(value) ? value : undefined;
}

const wordPattern = /^[\x21-\x7e]{1,256}$/;

/** Returns a position in a list, a small whole number, else undefined. */
export function asIndex(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < indexMax
    ? value
    : undefined;
}

const indexMax = 1_000_000;

/** Bounds the nesting of an answer. `JSON.parse` reads deeper values than `JSON.stringify` can write. */
const depthMax = 500;

/** Parses a JSON text. Returns undefined if the text is not JSON or is nested too deep. */
export function parseJson(text: string): unknown {
  if (text.length > 2 * depthMax && isDeeperThan(depthMax, text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const quote = 0x22;
const backslash = 0x5c;
/** `[` and `]` with this bit are `{` and `}`. */
const curly = 0x20;
const opening = 0x7b;
const closing = 0x7d;

function isDeeperThan(levels: number, text: string): boolean {
  let depth = 0;
  for (let place = 0; place < text.length; place += 1) {
    const character = text.charCodeAt(place);
    if (character === quote) place = endOfString(text, place);
    else if ((character | curly) === opening) depth += 1;
    else if ((character | curly) === closing) depth -= 1;
    if (depth > levels) return true;
  }
  return false;
}

/** Returns the position of the quote that ends the string, or the length of the text if the string has no end. */
function endOfString(text: string, begin: number): number {
  let end = begin;
  for (;;) {
    end = text.indexOf('"', end + 1);
    if (end === -1) return text.length;
    let before = end - 1;
    while (text.charCodeAt(before) === backslash) before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
}
