/** How much structure a JSON text has, whatever else it is: counted without building anything. */
export interface JsonShape {
  /** Containers within containers. */
  readonly depth: number;
  /** Members, elements and containers: an upper bound of what a parser would have to build. */
  readonly values: number;
  /** Bytes outside strings that count for no value: white space, numbers, literals, colons. */
  readonly bareBytes: number;
  /** Strings, names of members included. */
  readonly strings: number;
}

const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * Reads the structure of UTF-8 JSON, some of it at a time. A text that is no JSON gets some shape, too.
 * It takes a small part of the time of parsing, most of all where there are long texts.
 */
export class JsonScan {
  readonly #text: Buffer;
  readonly #isEnough: (shape: JsonShape) => boolean;
  #at = 0;
  #isInString = false;
  #level = 0;
  #shape: JsonShape = { depth: 0, values: 0, bareBytes: 0, strings: 0 };

  /** Ends early where `isEnough` says so of what was counted; it is asked now and then. */
  constructor(bytes: Uint8Array, isEnough: (shape: JsonShape) => boolean) {
    this.#text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#isEnough = isEnough;
  }

  get shape(): JsonShape {
    return this.#shape;
  }

  /** Looks at about so many bytes more. True: it has come to the end, or counted enough. */
  advance(bytes: number): boolean {
    const end = Math.min(this.#text.length, this.#at + bytes);
    while (this.#at < end) {
      this.#step(Math.min(end, this.#at + stepBytes));
      if (this.#isEnough(this.#shape)) return true;
    }
    return this.#at >= this.#text.length;
  }

  #step(end: number): void {
    const text = this.#text;
    let { depth, values, bareBytes, strings } = this.#shape;
    let level = this.#level;
    let at = this.#at;
    if (this.#isInString) at = this.#endOfString(at, end);
    for (; at < end && !this.#isInString; at++) {
      switch (text[at]) {
        case quote:
          strings += 1;
          this.#isInString = true;
          at = this.#endOfString(at + 1, end) - 1;
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
          bareBytes += 1;
      }
    }
    this.#at = at;
    this.#level = level;
    this.#shape = { depth, values, bareBytes, strings };
  }

  /** The place after the quote that ends a string, or how far it was looked for: then it goes on. */
  #endOfString(start: number, end: number): number {
    const text = this.#text;
    // Long texts have few quotes: where the next one is not escaped, nothing else has to be read.
    const next = text.indexOf(quote, start);
    if (next === -1) return text.length;
    if (next === start || text[next - 1] !== backslash) {
      this.#isInString = false;
      return next + 1;
    }
    let at = start;
    for (; at < end; at++) {
      if (text[at] === backslash) at += 1;
      else if (text[at] === quote) {
        this.#isInString = false;
        return at + 1;
      }
    }
    return at;
  }
}

/** Between two looks at the bounds. */
const stepBytes = 4_096;
