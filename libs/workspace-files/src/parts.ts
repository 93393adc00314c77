/** The bytes of one message. */
export const partBytesMax = 1_048_576;
/** A slow client sends so much within the time that may pass between two messages. */
const partBytesMin = 65_536;

/** Returns the same bytes in parts that are neither small, but for the last one, nor larger than a message. */
export async function* sizedParts(content: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let waiting: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of content) {
    waiting.push(chunk);
    bytes += chunk.byteLength;
    if (bytes < partBytesMin) continue;
    yield* cut(Buffer.concat(waiting));
    waiting = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(waiting);
}

function* cut(bytes: Buffer): Generator<Buffer> {
  for (let from = 0; from < bytes.length; from += partBytesMax)
    yield bytes.subarray(from, from + partBytesMax);
}
