/** The bytes of one message. */
export const partBytesMax = 1_048_576;

/** Returns the same bytes in parts that are full, but for the last one. */
export async function* fullParts(content: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let waiting: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of content) {
    waiting.push(chunk);
    bytes += chunk.byteLength;
    if (bytes < partBytesMax) continue;
    let rest = Buffer.concat(waiting);
    while (rest.length >= partBytesMax) {
      yield rest.subarray(0, partBytesMax);
      rest = rest.subarray(partBytesMax);
    }
    waiting = [rest];
    bytes = rest.length;
  }
  if (bytes > 0) yield Buffer.concat(waiting);
}
