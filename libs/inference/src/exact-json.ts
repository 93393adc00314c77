/**
 * JSON whose numbers pass as they were written. `JSON.parse` rounds 1234567890123456789 and reads 1e400 as infinite.
 * The values here keep such a number as its text, in an object that `JSON.stringify` writes as that text.
 */

/** A place in a JSON value: the names on the way to it. `[]` stands for all items of a list. The last one is a name. */
export type JsonPlace = readonly string[];

const each = '[]';

/** Returns the place that a path such as `content[].input` names. */
export function jsonPlace(path: string): JsonPlace {
  return path.split('.').flatMap((name) => {
    const levels = name.split(each);
    const [first = ''] = levels;
    return [...(first === '' ? [] : [first]), ...levels.slice(1).map(() => each)];
  });
}

/** Parses a JSON text. Throws as `JSON.parse` does. */
export function parseExactJson(text: string): unknown {
  return hasLongNumber(text) ? JSON.parse(text, exactReviver) : (JSON.parse(text) as unknown);
}

/**
 * Gives the values at these places of a parsed JSON text the numbers as the text has them. Numbers elsewhere stay
 * JavaScript's, because code reads them. Changes the value in place. A text that has no
 * objects or lists at the places is not searched.
 */
export function keepExactNumbers(value: unknown, text: string, places: readonly JsonPlace[]): void {
  // Most answers have no tools: that is found without a list for each place.
  if (!isAnyHeld(value, places) || !hasLongNumber(text)) return;
  const holders = places.flatMap((place) => holdersOf(value, place, 0));
  const exact = JSON.parse(text, exactReviver) as unknown;
  const exactHolders = places.flatMap((place) => holdersOf(exact, place, 0));
  for (const [index, { holder, name }] of holders.entries())
    holder[name] = exactHolders[index]?.holder[name];
}

interface Holder {
  readonly holder: Record<string, unknown>;
  readonly name: string;
}

const none: readonly Holder[] = [];

/** Returns the holders of the objects and lists at a place. */
function holdersOf(value: unknown, place: JsonPlace, level: number): readonly Holder[] {
  const name = place[level];
  if (name === undefined || typeof value !== 'object' || value === null) return none;
  if (name === each)
    return Array.isArray(value) ? value.flatMap((one) => holdersOf(one, place, level + 1)) : none;
  const holder = value as Record<string, unknown>;
  const member = Object.hasOwn(holder, name) ? holder[name] : undefined;
  if (level < place.length - 1) return holdersOf(member, place, level + 1);
  return typeof member === 'object' && member !== null ? [{ holder, name }] : none;
}

function isAnyHeld(value: unknown, places: readonly JsonPlace[]): boolean {
  for (const place of places) if (isHeld(value, place, 0)) return true;
  return false;
}

/** Returns true if an object or a list is at a place. Each event of a stream is asked, so no call makes a function. */
function isHeld(value: unknown, place: JsonPlace, level: number): boolean {
  const name = place[level];
  if (typeof value !== 'object' || value === null) return false;
  if (name === undefined) return true;
  if (name !== each)
    return Object.hasOwn(value, name) && isHeld(Reflect.get(value, name), place, level + 1);
  if (!Array.isArray(value)) return false;
  for (const one of value) if (isHeld(one, place, level + 1)) return true;
  return false;
}

interface ReviverContext {
  readonly source?: string;
}

/** TypeScript does not know these parts of the language yet. */
const json = JSON as unknown as {
  readonly rawJSON: (text: string) => object;
  readonly isRawJSON: (value: unknown) => boolean;
};

/** Returns true for a number that is kept as its text. */
export function isNumberText(value: unknown): boolean {
  return json.isRawJSON(value);
}

/** Returns the JavaScript number of a number that is kept as its text, and other values as they are. */
export function plainNumber(value: unknown): unknown {
  return isNumberText(value) ? Number((value as { readonly rawJSON: string }).rawJSON) : value;
}

const exactReviver = ((_name: string, value: unknown, { source }: ReviverContext) =>
  typeof value === 'number' && source !== undefined && !isExact(value, source)
    ? json.rawJSON(source)
    : value) as Parameters<typeof JSON.parse>[1];

/** A double holds every number of so many characters, unless it has an exponent. */
const charactersMax = 15;

/** Returns true if JavaScript writes the number as its text has it, or its text is short enough to lose nothing. */
function isExact(value: number, source: string): boolean {
  if (Object.is(value, -0)) return false;
  const isShort = source.length <= charactersMax && !/[eE]/.test(source);
  return isShort || String(value) === source;
}

const quote = 0x22;
const backslash = 0x5c;
const [minus, point, zero, nine] = [0x2d, 0x2e, 0x30, 0x39];
/** `E` with this bit is `e`. */
const lowerCase = 0x20;
const exponentMark = 0x65;

/**
 * Returns true if a JSON text has a number outside its strings that a double may not hold: one of more than 15
 * characters, with an exponent, or a negative zero. Strings are skipped, so that long texts cost little.
 */
export function hasLongNumber(text: string): boolean {
  let characters = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if ((code >= zero && code <= nine) || code === point || code === minus) {
      characters += 1;
      if (characters > charactersMax || isNegativeZero(code, characters, text.charCodeAt(at - 1)))
        return true;
    } else if ((code | lowerCase) === exponentMark && characters > 0) return true;
    else {
      characters = 0;
      if (code === quote) at = endOfString(text, at);
    }
  }
  return false;
}

function isNegativeZero(code: number, characters: number, before: number): boolean {
  return code === zero && characters === 2 && before === minus;
}

/** Returns the position of the quote that ends the string, or the length of the text if the string has no end. */
export function endOfString(text: string, begin: number): number {
  let end = begin;
  for (;;) {
    end = text.indexOf('"', end + 1);
    if (end === -1) return text.length;
    let before = end - 1;
    while (text.charCodeAt(before) === backslash) before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
}
