const slabBytes = 65_536;
/** UTF-8 has at most so many for each unit of a string. */
const unitBytesMax = 3;

/**
 * Makes the bytes of texts beside each other, each UTF-8. Those of one slab live as long as each other: in the pool
 * that all buffers are made of, one that stays would keep whatever else lies around it.
 */
export class Slab {
  #bytes = Buffer.allocUnsafeSlow(slabBytes);
  #used = 0;

  bytesOf(text: string): Uint8Array {
    const bytesMax = text.length * unitBytesMax;
    if (bytesMax > slabBytes) return Buffer.from(text);
    if (this.#used + bytesMax > slabBytes) {
      this.#bytes = Buffer.allocUnsafeSlow(slabBytes);
      this.#used = 0;
    }
    const start = this.#used;
    this.#used += this.#bytes.write(text, start);
    return this.#bytes.subarray(start, this.#used);
  }
}
