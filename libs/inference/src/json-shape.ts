import { DifferentStrings, type HashSeed } from './different-strings.ts';

/** The amount of structure in a JSON text, counted without parsing it. */
export interface JsonShape {
  /** The depth of nested containers. */
  readonly depth: number;
  /** Members, elements and containers. An upper bound of the values that a parser builds. */
  readonly values: number;
  /** Other bytes outside strings: white space, numbers, literals, colons. */
  readonly bareBytes: number;
  /** Strings, names of members included. */
  readonly strings: number;
  /** True if JavaScript may round a number: it has over 15 characters or an exponent, or is a negative zero. */
  readonly hasLongNumbers: boolean;
  /** Commas between the members of the outermost object. */
  readonly outerCommas: number;
  /** The most commas between the members of one object inside. */
  readonly innerCommas: number;
  /** Different rows of names with which objects begin: a parser makes a hidden class for each. */
  readonly nameRows: number;
  /** Different strings that are so short that a parser looks each of them up. */
  readonly shortStrings: number;
}

const quote = 0x22;
const colon = 0x3a;
const comma = 0x2c;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const minus = 0x2d;
const point = 0x2e;
const zero = 0x30;
const nine = 0x39;
/** `E` with this bit is `e`. */
const lowerCase = 0x20;
const exponentMark = 0x65;
/** JavaScript holds every number of so many characters that has no exponent. */
const numberCharactersMax = 15;

/** Returns the same bytes as a Buffer. */
export function asBuffer(bytes: Uint8Array): Buffer {
  if (bytes instanceof Buffer) return bytes;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/**
 * Counts the structure of UTF-8 JSON in steps. Invalid JSON gets some shape, too. It takes a small part of the time
 * of parsing, especially for long texts.
 */
export class JsonScan {
  readonly #text: Buffer;
  readonly #isEnough: (shape: JsonShape) => boolean;
  #at = 0;
  #isInString = false;
  #level = 0;
  /** The characters of the number that is being read. */
  #numberCharacters = 0;
  readonly #different: DifferentStrings;
  /** The first byte of the string that is read. */
  #stringStart = 0;
  /** For each level, the commas of its open object, or -1 for an array. Deeper texts are refused. */
  #commas = new Int32Array(levelsUsual);
  #shape: Omit<JsonShape, 'nameRows' | 'shortStrings'> = {
    depth: 0,
    values: 0,
    bareBytes: 0,
    strings: 0,
    hasLongNumbers: false,
    outerCommas: 0,
    innerCommas: 0,
  };

  /** Ends early if `isEnough` returns true for the counts. It is called from time to time. */
  constructor(bytes: Uint8Array, isEnough: (shape: JsonShape) => boolean, seed: HashSeed) {
    this.#text = asBuffer(bytes);
    this.#isEnough = isEnough;
    this.#different = new DifferentStrings(this.#text, levelsCounted, seed);
  }

  get shape(): JsonShape {
    const { nameRows, shortStrings } = this.#different;
    return { ...this.#shape, nameRows, shortStrings };
  }

  /** Scans about this many more bytes. Returns true at the end of the text or if enough was counted. */
  advance(bytes: number): boolean {
    const end = Math.min(this.#text.length, this.#at + bytes);
    while (this.#at < end) {
      this.#step(Math.min(end, this.#at + stepBytes));
      if (this.#isEnough(this.shape)) return true;
    }
    return this.#at >= this.#text.length;
  }

  #step(end: number): void {
    const text = this.#text;
    let commas = this.#commas;
    let { depth, values, bareBytes, strings, hasLongNumbers } = this.#shape;
    let { outerCommas, innerCommas } = this.#shape;
    let [level, at] = [this.#level, this.#at];
    let characters = this.#numberCharacters;
    if (this.#isInString) at = this.#endOfString(at, end);
    for (; at < end && !this.#isInString; at++) {
      const byte = text[at] ?? 0;
      switch (byte) {
        case quote:
          strings += 1;
          this.#isInString = true;
          this.#stringStart = at + 1;
          at = this.#endOfString(at + 1, end) - 1;
          break;
        case comma: {
          values += 1;
          characters = 0;
          const open = commas[level] ?? -1;
          if (open === -1) break;
          commas[level] = open + 1;
          if (level === 1) outerCommas = open + 1;
          else if (open >= innerCommas) innerCommas = open + 1;
          break;
        }
        case openBrace:
        case openBracket:
          values += 1;
          level += 1;
          if (level === levelsUsual) commas = this.#countMoreLevels();
          commas[level] = byte === openBrace ? 0 : -1;
          this.#different.openObject(level);
          if (level > depth) depth = level;
          break;
        case closeBrace:
        case closeBracket:
          level -= 1;
          break;
        case colon:
          bareBytes += 1;
          if (commas[level] !== -1) this.#different.name(level);
          break;
        default:
          bareBytes += 1;
          if ((byte >= zero && byte <= nine) || byte === point || byte === minus) {
            characters += 1;
            // A zero behind the minus may be the whole number.
            hasLongNumbers ||=
              characters > numberCharactersMax ||
              (byte === zero && characters === 2 && text[at - 1] === minus);
          } else if (characters > 0) {
            hasLongNumbers ||= (byte | lowerCase) === exponentMark;
            characters = 0;
          }
      }
    }
    this.#at = at;
    this.#level = level;
    this.#numberCharacters = characters;
    this.#shape = {
      depth,
      values,
      bareBytes,
      strings,
      hasLongNumbers,
      outerCommas,
      innerCommas,
    };
  }

  #countMoreLevels(): Int32Array<ArrayBuffer> {
    if (this.#commas.length < levelsCounted) {
      const usual = this.#commas;
      this.#commas = new Int32Array(levelsCounted);
      this.#commas.set(usual);
    }
    return this.#commas;
  }

  /** Returns the place after the end of a string, or the place where the search stopped and has to continue. */
  #endOfString(start: number, end: number): number {
    const text = this.#text;
    // Long texts have few quotes. If the next one is not escaped, no other byte is read.
    const next = text.indexOf(quote, start);
    if (next === -1) return text.length;
    if (next === start || text[next - 1] !== backslash) {
      return this.#ended(next);
    }
    let at = start;
    for (; at < end; at++) {
      if (text[at] === backslash) at += 1;
      else if (text[at] === quote) return this.#ended(at);
    }
    return at;
  }

  #ended(quoteAt: number): number {
    this.#isInString = false;
    this.#different.string(this.#stringStart, quoteAt);
    return quoteAt + 1;
  }
}

/** Writes beyond the end of the counts have no effect. */
const levelsCounted = 128;
/** Levels of ordinary bodies. V8 keeps an array of so few numbers in its own heap, which is much faster. */
const levelsUsual = 16;
/** The bytes between two checks of the bounds. */
const stepBytes = 4_096;
