import { connect, type Socket } from 'node:net';
import { MessageReader } from '../message-reader.ts';
import { DeltaCounter, type Expectation, faultOf } from './expectation.ts';

/** One answer, or why there is none. Times in ms of `performance.now()`. */
export interface Outcome {
  readonly fault: string | undefined;
  readonly endedMs: number;
  /** When the first piece of text of a stream came; 0 when none did. */
  readonly firstDeltaMs: number;
}

export interface ConnectionOptions {
  readonly port: number;
  readonly request: Buffer;
  readonly expectation: Expectation;
  /** After each answer; it may send at once. */
  readonly onOutcome: (connection: Connection, outcome: Outcome) => void;
}

const excerptLengthMax = 512;
const closePattern = /\r\nconnection: *close/i;

/** A kept connection with one request at a time; opened again when the other side is done with it. */
export class Connection {
  /** When the pending request was due. The sender sets and reads it. */
  dueMs = 0;
  /** When the connection became idle. The sender sets and reads it. */
  freeMs = 0;
  readonly #options: ConnectionOptions;
  readonly #reader: () => MessageReader;
  #socket: Socket | undefined;
  #isWaiting = false;
  #isLast = false;
  #status = 0;
  #bodyBytes = 0;
  #excerpt = '';
  #firstDeltaMs = 0;
  readonly #deltas: DeltaCounter;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#deltas = new DeltaCounter(options.expectation.deltaMark);
    const countsDeltas = options.expectation.deltas > 0;
    this.#reader = () =>
      new MessageReader('is refused', {
        onHead: (head) => {
          this.#status = Number(head.slice(9, 12));
          this.#isLast = closePattern.test(head);
        },
        onBody: (bytes) => {
          this.#bodyBytes += bytes.length;
          if (this.#status !== 200 && this.#excerpt.length < excerptLengthMax)
            this.#excerpt += bytes.toString('utf8', 0, excerptLengthMax);
          if (!countsDeltas) return;
          this.#deltas.read(bytes);
          if (this.#firstDeltaMs === 0 && this.#deltas.count > 0)
            this.#firstDeltaMs = performance.now();
        },
        onEnd: () => this.#answered(),
      });
  }

  /** Connects; a request may also be sent before. */
  async open(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#connect().once('connect', resolve).once('error', reject);
    await promise;
  }

  send(): void {
    this.#isWaiting = true;
    (this.#socket ?? this.#connect()).write(this.#options.request);
  }

  /** Without a word about an answer that is still to come. */
  close(): void {
    this.#isWaiting = false;
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  #connect(): Socket {
    const socket = connect({ port: this.#options.port, host: '127.0.0.1', noDelay: true });
    const reader = this.#reader();
    this.#socket = socket;
    socket.on('data', (bytes) => {
      if (socket !== this.#socket) return;
      try {
        reader.read(bytes);
      } catch {
        this.#lost(socket, 'not HTTP');
      }
    });
    socket.on('error', () => this.#lost(socket, 'connection broken'));
    socket.on('close', () => this.#lost(socket, 'connection closed'));
    return socket;
  }

  #answered(): void {
    const { expectation } = this.#options;
    const seen = {
      status: this.#status,
      bodyBytes: this.#bodyBytes,
      deltas: this.#deltas.count,
      excerpt: this.#excerpt,
    };
    if (this.#isLast) this.#leave();
    this.#tell(faultOf(seen, expectation));
  }

  #lost(socket: Socket, fault: string): void {
    if (socket !== this.#socket) return;
    this.#leave();
    if (this.#isWaiting) this.#tell(fault);
  }

  #leave(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  #tell(fault: string | undefined): void {
    const outcome = { fault, endedMs: performance.now(), firstDeltaMs: this.#firstDeltaMs };
    this.#isWaiting = false;
    this.#bodyBytes = 0;
    this.#excerpt = '';
    this.#firstDeltaMs = 0;
    this.#deltas.reset();
    this.#options.onOutcome(this, outcome);
  }
}
