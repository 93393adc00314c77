import type { Socket } from 'node:net';

const informational = Buffer.from('HTTP/1.1 100');
const headEnd = Buffer.from('\r\n\r\n');
const headBytesMax = 8 * 1024;

/**
 * Drops every `100 Continue` that precedes a response on this socket. A client must skip it, expected or not
 * (RFC 9110, 15.2); undici ends the connection instead. Call it before undici listens to the socket.
 * Only the first bytes after a write are checked, because undici sends one request at a time.
 */
export function skipContinue(socket: Socket): void {
  let sentBytes = -1;
  let isLooking = false;
  let held: Buffer | undefined;
  socket.on('readable', () => {
    if (socket.bytesWritten !== sentBytes) {
      sentBytes = socket.bytesWritten;
      isLooking = true;
    }
    if (!isLooking) return;
    const chunk = socket.read() as Buffer | null;
    if (chunk === null) return;
    const left = withoutContinue(held ? Buffer.concat([held, chunk]) : chunk);
    isLooking = left.isUndecided;
    held = left.isUndecided ? left.bytes : undefined;
    if (!left.isUndecided) socket.unshift(left.bytes);
  });
}

/** Returns the bytes after all leading `100 Continue`. Undecided if more bytes are needed. */
function withoutContinue(bytes: Buffer): { readonly bytes: Buffer; readonly isUndecided: boolean } {
  let rest = bytes;
  while (startsWith(rest, informational)) {
    const end = rest.indexOf(headEnd);
    if (end === -1) return { bytes: rest, isUndecided: rest.length <= headBytesMax };
    rest = rest.subarray(end + headEnd.length);
  }
  return { bytes: rest, isUndecided: startsWith(informational, rest) };
}

function startsWith(bytes: Buffer, start: Buffer): boolean {
  return (
    bytes.length >= start.length && bytes.compare(start, 0, start.length, 0, start.length) === 0
  );
}
