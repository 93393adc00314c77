import type { Socket } from 'node:net';
import type { buildConnector as Connectors } from 'undici';
import { skipContinue } from './skip-continue.ts';
import { buildConnector } from './undici.ts';

/** Beyond it what is written is not copied once more. */
const joinedBytesMax = 16 * 1024;

/**
 * Connects as undici itself does, to sockets that write the head and the body of a call in one piece: two are
 * handed on as a list, which costs more than joining them. They skip each `100 Continue`.
 */
export function joiningConnector(options: Connectors.BuildOptions): Connectors.connector {
  const connect = buildConnector(options);
  return (asked, callback) => {
    connect(asked, (...[error, socket]) => {
      if (error !== null) return callback(error, null);
      joinWrites(socket);
      skipContinue(socket);
      callback(null, socket);
    });
  };
}

/** What waits to be written: a text, or bytes. */
interface Waiting {
  readonly chunk: string | Uint8Array;
  readonly encoding: BufferEncoding;
}

/** What Node calls of a stream that is written to: with one piece, and with all that wait. */
const writeOne = '_write';
const writeAll = '_writev';

/** What is written to it corked leaves in one write, where it is a head and a body. */
export function joinWrites(socket: Socket): void {
  const writeList = socket[writeAll]?.bind(socket);
  if (!writeList) return;
  socket[writeAll] = (waiting: Waiting[], callback) => {
    const text = joined(waiting);
    if (text === undefined) writeList(waiting, callback);
    else socket[writeOne](text, 'latin1', callback);
  };
}

/** A head and its body as one text of which each character is a byte; undefined: it is something else. */
function joined(waiting: readonly Waiting[]): string | undefined {
  const [head, body] = waiting;
  if (waiting.length !== 2 || head === undefined || body === undefined) return undefined;
  if (typeof head.chunk !== 'string' || head.encoding !== 'latin1') return undefined;
  if (!(body.chunk instanceof Buffer) || body.chunk.length > joinedBytesMax) return undefined;
  return head.chunk + body.chunk.toString('latin1');
}
