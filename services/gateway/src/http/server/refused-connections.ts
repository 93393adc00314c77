import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Overload } from '@sluice/load-shedding';

export interface RefusedConnectionsOptions {
  /** Why a request of that name would not be let in now. */
  readonly refuses: (name: string) => Overload | undefined;
  /** Answers a request that nobody has looked at, on a connection that is kept. */
  readonly refuse: (socket: Socket, crowded: Overload) => void;
  /** How many are answered so on one connection. */
  readonly requestsPerConnectionMax: number;
}

/** A request that was refused, and as whose. */
interface Refused {
  readonly request: IncomingMessage;
  readonly name: string;
}

/** What a read held that was one whole request and nothing else. */
interface Known {
  readonly head: Buffer;
  /** With the body. */
  readonly bytes: number;
  readonly name: string;
}

const headEnd = '\r\n\r\n';
/** It is kept for each connection: what is longer is parsed. */
const headBytesMax = 2_048;

/**
 * Who is refused mostly asks again, and in the same words. On a connection that has been refused, a request
 * whose head is the one before byte for byte is refused without being parsed again: it says what that one said.
 * Everything else goes to the parser of node:http, as if nobody stood before it.
 */
export class RefusedConnections {
  readonly #options: RefusedConnectionsOptions;
  readonly #readers = new WeakMap<Socket, RefusedConnection>();

  constructor(options: RefusedConnectionsOptions) {
    this.#options = options;
  }

  /** A request was refused through node:http just now. */
  note(request: IncomingMessage, response: ServerResponse, name: string): void {
    const { socket } = request;
    if (!(socket instanceof Socket) || !response.shouldKeepAlive) return;
    const reader = this.#readers.get(socket);
    if (reader) reader.note({ request, name });
    // Not before the parser is done with what it has.
    else response.on('finish', () => this.#begin(socket));
  }

  #begin(socket: Socket): void {
    const [toParser, ...others] = socket.listeners('data');
    if (this.#readers.has(socket) || !toParser || others.length > 0) return;
    const parse = (bytes: Buffer): void => void Reflect.apply(toParser, socket, [bytes]);
    const reader = new RefusedConnection(this.#options, socket, parse);
    this.#readers.set(socket, reader);
    socket
      .on('data', (bytes: Buffer) => reader.read(bytes))
      .removeListener('data', toParser as () => void);
  }
}

class RefusedConnection {
  readonly #options: RefusedConnectionsOptions;
  readonly #socket: Socket;
  readonly #parse: (bytes: Buffer) => void;
  /** Whether the next byte is the first one of a request, for certain. */
  #isBetweenRequests = false;
  #known: Known | undefined;
  #refused: Refused | undefined;
  #answered = 0;

  constructor(options: RefusedConnectionsOptions, socket: Socket, parse: (bytes: Buffer) => void) {
    this.#options = options;
    this.#socket = socket;
    this.#parse = parse;
  }

  note(refused: Refused): void {
    this.#refused = refused;
  }

  read(bytes: Buffer): void {
    const known = this.#known;
    if (!known || !isAgain(bytes, known)) return this.#learn(bytes);
    const crowded = this.#isFree() ? this.#options.refuses(known.name) : undefined;
    if (crowded === undefined) {
      this.#refusedOf(bytes);
      return;
    }
    this.#answered += 1;
    this.#options.refuse(this.#socket, crowded);
  }

  /** Nothing is under way that would have to be answered first, and what was answered has been taken. */
  #isFree(): boolean {
    const socket = this.#socket;
    return (
      this.#answered < this.#options.requestsPerConnectionMax &&
      socket.writable &&
      socket.writableLength === 0 &&
      // Node keeps there what it answers.
      !Reflect.get(socket, '_httpMessage')
    );
  }

  #learn(bytes: Buffer): void {
    if (!this.#isBetweenRequests) return this.#findEnd(bytes);
    this.#known = knownOf(bytes, this.#refusedOf(bytes));
    this.#isBetweenRequests = this.#known !== undefined;
  }

  /** The last byte by itself: if that is what makes a request complete, the next byte begins another one. */
  #findEnd(bytes: Buffer): void {
    const socket = this.#socket;
    const last = bytes.length - 1;
    const before = last > 0 ? this.#refusedOf(bytes.subarray(0, last)) : undefined;
    const wasComplete = before?.request.complete === true;
    // It was no HTTP, and has been told so; or its sender does not take his answers.
    if (!socket.writable) return;
    if (socket.isPaused()) {
      socket.unshift(bytes.subarray(last));
      return;
    }
    const after = this.#refusedOf(bytes.subarray(last));
    if (after) this.#isBetweenRequests = after.request.complete;
    else this.#isBetweenRequests = !wasComplete && before?.request.complete === true;
  }

  /** Parses it: the last request in it that was refused. It is not kept: it would be for each connection. */
  #refusedOf(bytes: Buffer): Refused | undefined {
    this.#parse(bytes);
    const refused = this.#refused;
    this.#refused = undefined;
    return refused;
  }
}

function isAgain(bytes: Buffer, { head, bytes: length }: Known): boolean {
  return bytes.length === length && head.compare(bytes, 0, head.length) === 0;
}

/** Of bytes that began with a request: whether they are all of this one. */
function knownOf(bytes: Buffer, refused: Refused | undefined): Known | undefined {
  if (!refused?.request.complete) return undefined;
  const { request, name } = refused;
  const bodyBytes = Number(request.headers['content-length']);
  const headBytes = bytes.indexOf(headEnd) + headEnd.length;
  if (headBytes > headBytesMax || headBytes + bodyBytes !== bytes.length) return undefined;
  // A copy: the read holds more, and for longer.
  return { head: Buffer.from(bytes.subarray(0, headBytes)), bytes: bytes.length, name };
}
