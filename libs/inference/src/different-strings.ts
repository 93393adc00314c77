/** Strings before the first that is compared with others: ordinary bodies pay nothing for it. */
const stringsNotCompared = 1_024;
/** V8 looks up each string of at most so many characters. */
const shortStringBytes = 10;
/** Longer names count as different from each other. */
const comparedNameBytes = 256;
/** The prime of FNV-1a. */
const hashFactor = 0x01000193;

/** The beginning of all hashes of a process. Clients must not know which strings have the same hash. */
export interface HashSeed {
  readonly seed: number;
}

interface Found {
  readonly names: Set<number>;
  readonly shorts: Set<number>;
  /** For each level, the hash of the names that its open object has so far. */
  readonly rows: Int32Array;
}

/** Counts the different short strings of a JSON text, and the different rows of names with which objects begin. */
export class DifferentStrings {
  readonly #text: Buffer;
  readonly #levels: number;
  readonly #seed: number;
  /** The strings and rows that were compared. If undefined, there are none yet. */
  #found: Found | undefined;
  #seen = 0;
  /** The last string. */
  #start = 0;
  #end = 0;

  constructor(text: Buffer, levels: number, { seed }: HashSeed) {
    this.#seed = seed;
    this.#text = text;
    this.#levels = levels;
  }

  get nameRows(): number {
    return this.#found?.names.size ?? 0;
  }

  get shortStrings(): number {
    return this.#found?.shorts.size ?? 0;
  }

  openObject(level: number): void {
    if (this.#found) this.#found.rows[level] = this.#seed;
  }

  string(start: number, end: number): void {
    this.#seen += 1;
    if (this.#seen <= stringsNotCompared) return;
    this.#found ??= {
      names: new Set(),
      shorts: new Set(),
      rows: new Int32Array(this.#levels).fill(this.#seed),
    };
    this.#start = start;
    this.#end = end;
    if (end - start <= shortStringBytes) this.#found.shorts.add(this.#hash(this.#seed));
  }

  /** The last string is the next name of the object that is open at the level. */
  name(level: number): void {
    if (!this.#found) return;
    const { rows, names } = this.#found;
    const row = rows[level] ?? 0;
    const isLong = this.#end - this.#start > comparedNameBytes;
    const hash = isLong ? Math.imul(row ^ this.#start, hashFactor) : this.#hash(row);
    rows[level] = hash;
    names.add(hash);
  }

  /** Adds the last string to a hash. */
  #hash(before: number): number {
    const text = this.#text;
    let hash = before;
    for (let at = this.#start; at < this.#end; at++)
      hash = Math.imul(hash ^ (text[at] ?? 0), hashFactor) ^ (hash >>> 15);
    return Math.imul(hash ^ (hash >>> 13), hashFactor);
  }
}
