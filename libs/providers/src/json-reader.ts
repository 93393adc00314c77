import { endOfString, keepExactNumbers, jsonPlace, parseExactJson } from '@sluice/inference';

/** A JSON object with unchecked values. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function asObject(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined;
}

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : none;
}

const none: readonly unknown[] = [];

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

/** Returns the answer with the index 0, which some servers leave out. Others may stand before it or come alone. */
export function firstChoice(choices: unknown): JsonObject | undefined {
  return asArray(choices)
    .map(asObject)
    .find((choice) => choice && (choice['index'] ?? 0) === 0);
}

/** Bounds the nesting of an answer. `JSON.parse` reads deeper values than `JSON.stringify` can write. */
const depthMax = 500;

/** Parses a JSON text. Returns undefined if the text is not JSON or is nested too deep. */
export function parseJson(text: string): unknown {
  return bounded(text, JSON.parse);
}

/** Parses like `parseJson`, but keeps the digits of numbers that JavaScript would round. */
export function parseExact(text: string): unknown {
  return bounded(text, parseExactJson);
}

/** Returns a parser that keeps the numbers at these places as the text has them, as `content[].input`. */
export function exactAt(...paths: readonly string[]): (text: string) => unknown {
  const places = paths.map(jsonPlace);
  return (text) => {
    const value = parseJson(text);
    keepExactNumbers(value, text, places);
    return value;
  };
}

function bounded(text: string, parse: (text: string) => unknown): unknown {
  if (text.length > 2 * depthMax && isDeeperThan(depthMax, text)) return undefined;
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

const quote = 0x22;
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
