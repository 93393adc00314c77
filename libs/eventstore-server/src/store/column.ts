const chunkBits = 16;
const chunkLength = 1 << chunkBits;
const chunkMask = chunkLength - 1;

/** A growing list of numbers at their bare size: it grows by chunks, nothing is ever copied. */
export class Column<Numbers extends Float64Array | Uint32Array> {
  readonly #make: (length: number) => Numbers;
  readonly #chunks: Numbers[] = [];
  #length = 0;

  constructor(make: (length: number) => Numbers) {
    this.#make = make;
  }

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    const chunk = (this.#chunks[this.#length >>> chunkBits] ??= this.#make(chunkLength));
    chunk[this.#length & chunkMask] = value;
    this.#length++;
  }

  at(index: number): number {
    const inside = Number.isInteger(index) && index >= 0 && index < this.#length;
    const value = inside ? this.#chunks[index >>> chunkBits]?.[index & chunkMask] : undefined;
    if (value === undefined) throw new RangeError(`there is no row ${index} of ${this.#length}`);
    return value;
  }

  truncate(length: number): void {
    this.#length = length;
    this.#chunks.length = Math.ceil(length / chunkLength);
  }
}

const idBytes = 16;

/** The same for event ids. */
export class IdColumn {
  readonly #chunks: Buffer[] = [];
  #length = 0;

  push(id: Buffer): void {
    const chunk = (this.#chunks[this.#length >>> chunkBits] ??= Buffer.alloc(
      chunkLength * idBytes,
    ));
    id.copy(chunk, (this.#length & chunkMask) * idBytes);
    this.#length++;
  }

  equals(index: number, id: Buffer): boolean {
    const start = (index & chunkMask) * idBytes;
    return this.#chunks[index >>> chunkBits]?.compare(id, 0, idBytes, start, start + idBytes) === 0;
  }

  truncate(length: number): void {
    this.#length = length;
    this.#chunks.length = Math.ceil(length / chunkLength);
  }
}
