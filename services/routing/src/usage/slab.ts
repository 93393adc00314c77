const bytesMax = 65_536;

let slab = Buffer.allocUnsafeSlow(bytesMax);
let used = 0;

/**
 * The UTF-8 of a text, beside that of the calls before: what stays in memory for long keeps nothing else there, as
 * a part of the pool that all buffers are made of would.
 */
export function slabBytes(text: string): Uint8Array {
  const length = Buffer.byteLength(text);
  if (length > bytesMax) return Buffer.from(text);
  if (used + length > bytesMax) {
    slab = Buffer.allocUnsafeSlow(bytesMax);
    used = 0;
  }
  const start = used;
  used += slab.write(text, start);
  return slab.subarray(start, used);
}
