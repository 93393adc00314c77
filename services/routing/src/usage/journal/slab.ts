const slabBytesDefault = 65_536;
/** UTF-8 has at most so many for each unit of a string. */
const unitBytesMax = 3;

/**
 * Makes the bytes of texts beside each other, each UTF-8. Those of one slab live as long as each other: in the pool
 * that all buffers are made of, one that stays would keep whatever else lies around it.
 */
export class Slab {
  readonly #slabBytes: number;
  #bytes: Buffer;
  #used = 0;

  constructor(slabBytes: number = slabBytesDefault) {
    this.#slabBytes = slabBytes;
    this.#bytes = Buffer.allocUnsafeSlow(slabBytes);
  }

  bytesOf(text: string): Uint8Array {
    const bytesMax = text.length * unitBytesMax;
    if (bytesMax > this.#slabBytes) return Buffer.from(text);
    if (this.#used + bytesMax > this.#slabBytes) {
      this.#bytes = Buffer.allocUnsafeSlow(this.#slabBytes);
      this.#used = 0;
    }
    const start = this.#used;
    this.#used += this.#bytes.write(text, start);
    return this.#bytes.subarray(start, this.#used);
  }
}
