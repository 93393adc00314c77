/** An address in a text, with the range that shows it: a whole Markdown link, or the address alone. */
export interface FoundAddress {
  readonly address: string;
  /** UTF-16 units of the whole text. */
  readonly start: number;
  readonly end: number;
}

const addressLengthMax = 2_048;
const labelLengthMax = 512;

/** Characters that end an address wherever they stand. */
const endings = /[\s<>"`|[\]{}\\，。；：！？、）】」』》]/u;
/** Characters that belong to the sentence if they stand last. */
const trailing = /[.,;:!?'*_~]+$/u;

/**
 * Finds the addresses of a text that comes in pieces. It reads each character once and keeps as much of the text as a
 * link can have.
 */
export class CitedText {
  /** The kept end of the text. */
  #kept = '';
  /** The place of `#kept` in the text. */
  #offset = 0;
  /** The place in `#kept` from which no address has begun yet. */
  #scanned = 0;

  /** Returns the addresses that end in a piece. */
  add(piece: string): readonly FoundAddress[] {
    this.#kept += piece;
    return this.#find(false);
  }

  /** Returns the address at the end of the text. */
  end(): readonly FoundAddress[] {
    return this.#find(true);
  }

  #find(isWhole: boolean): readonly FoundAddress[] {
    const found: FoundAddress[] = [];
    for (;;) {
      const start = beginningOf(this.#kept, this.#scanned);
      if (start === undefined) break;
      const end = endOf(this.#kept, start);
      if (end === undefined && !isWhole && this.#kept.length - start <= addressLengthMax) {
        this.#scanned = start;
        this.#forget();
        return found;
      }
      const to = end ?? this.#kept.length;
      this.#scanned = to;
      const address = this.#kept.slice(start, to).replace(trailing, '');
      if (to - start > addressLengthMax) continue;
      const [from, until] = linkAround(this.#kept, start, start + address.length);
      found.push({ address, start: this.#offset + from, end: this.#offset + until });
    }
    // The beginning of an address may be cut.
    this.#scanned = Math.max(this.#scanned, this.#kept.length - 'https://'.length + 1);
    this.#forget();
    return found;
  }

  #forget(): void {
    const passed = this.#scanned - labelLengthMax;
    if (passed <= labelLengthMax) return;
    this.#kept = this.#kept.slice(passed);
    this.#offset += passed;
    this.#scanned -= passed;
  }
}

/** Returns the place of the next `http://` or `https://`. */
function beginningOf(text: string, from: number): number | undefined {
  for (let at = text.indexOf('http', from); at >= 0; at = text.indexOf('http', at + 4))
    if (text.startsWith('://', at + 4) || text.startsWith('s://', at + 4)) return at;
  return undefined;
}

/** Returns the place behind an address; undefined: it may go on. A parenthesis ends it unless it opened inside. */
function endOf(text: string, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < text.length && at - start <= addressLengthMax; at += 1) {
    const character = text.charAt(at);
    if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    if (depth < 0 || endings.test(character)) return at;
  }
  return undefined;
}

/** Returns the range of the Markdown link `[label](address)` around an address, or that of the address. */
function linkAround(text: string, start: number, end: number): readonly [number, number] {
  if (!text.startsWith('](', start - 2) || text.charAt(end) !== ')') return [start, end];
  let depth = 0;
  for (let at = start - 2; at >= 0 && start - at <= labelLengthMax; at -= 1) {
    const character = text.charAt(at);
    if (character === ']') depth += 1;
    else if (character === '[') depth -= 1;
    if (depth === 0) return [at, end + 1];
  }
  return [start, end];
}
