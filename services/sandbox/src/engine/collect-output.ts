import type { Readable } from 'node:stream';

/** The first bytes of an output, and whether there were more. */
export interface Output {
  readonly bytes: () => Buffer;
  readonly isCut: () => boolean;
}

/** Keeps the first `keptMax` bytes of a stream, drains the rest, and calls `onFlood` after `drainedMax` bytes. */
export function collectOutput(
  stream: Readable,
  limits: { readonly keptMax: number; readonly drainedMax: number; readonly onFlood: () => void },
): Output {
  const chunks: Buffer[] = [];
  let kept = 0;
  let seen = 0;
  stream.on('data', (chunk: Buffer) => {
    seen += chunk.length;
    const part = chunk.subarray(0, limits.keptMax - kept);
    if (part.length > 0) chunks.push(part);
    kept += part.length;
    if (seen > limits.drainedMax) limits.onFlood();
  });
  stream.on('error', () => undefined);
  return { bytes: () => Buffer.concat(chunks), isCut: () => seen > kept };
}
