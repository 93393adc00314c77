import { createServer, type Server, type Socket } from 'node:net';
import { MessageReader } from '../message-reader.ts';
import {
  failureAnswer,
  streamedAnswer,
  vectorsAnswer,
  type VectorsShape,
  wholeAnswer,
} from './answers.ts';

/** Sets the behavior of the upstream from now on. */
export interface Behaviour {
  /** From the end of the request until the first byte. */
  readonly delayMs: number;
  /** The number of pieces in the text of an answer. */
  readonly deltas: number;
  /** Between two deltas of a stream; 0: each is a write of its own, as soon as the process comes by again. */
  readonly deltaGapMs: number;
  /** Answer everything with this status instead. */
  readonly failureStatus?: number;
  /** Answers requests for vectors. One vector of usual length if absent. */
  readonly vectors?: VectorsShape;
}

export const plainBehaviour: Behaviour = { delayMs: 0, deltas: 32, deltaGapMs: 0 };
export const plainVectors: VectorsShape = { inputs: 1, dimensions: 1_536 };

const unsentBytesMax = 256 * 1024;
const streamMark = /"stream": ?true/;
/** The number of first and last bytes of a body in which `stream` is searched. */
const endBytes = 256;
const vectorsPattern = /^POST \S+\/embeddings /;

type Kind = 'whole' | 'stream' | 'vectors';

interface Stream {
  readonly socket: Socket;
  readonly writes: readonly Buffer[];
  next: number;
}

/**
 * A model provider that costs next to nothing: it reads requests as far as it must, and writes answers that
 * were made before. It speaks the responses dialect of OpenAI, and its embeddings API.
 */
export class UpstreamServer {
  readonly #server: Server;
  readonly #streams = new Set<Stream>();
  #behaviour!: Behaviour;
  #whole!: Buffer;
  #vectors!: Buffer;
  #streamed!: readonly Buffer[];
  #isRoundPlanned = false;
  /** The number of requests that have come to their end. */
  requests = 0;

  constructor() {
    this.behave(plainBehaviour);
    this.#server = createServer({ noDelay: true }, (socket) => this.#serve(socket));
  }

  behave(behaviour: Behaviour): void {
    this.#behaviour = behaviour;
    this.#streamed = streamedAnswer(behaviour.deltas);
    const { deltas, failureStatus, vectors = plainVectors } = behaviour;
    const failure = failureStatus === undefined ? undefined : failureAnswer(failureStatus);
    this.#whole = failure ?? wholeAnswer(deltas);
    this.#vectors = failure ?? vectorsAnswer(vectors);
  }

  /** Listens on a free port of this machine and returns it. */
  async listen(): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, resolve);
    await promise;
    const address = this.#server.address();
    return typeof address === 'object' && address ? address.port : 0;
  }

  #serve(socket: Socket): void {
    let makesVectors = false;
    let first: Buffer | undefined;
    let last = '';
    const reader = new MessageReader('is empty', {
      onHead(head) {
        makesVectors = vectorsPattern.test(head);
        first = undefined;
        last = '';
      },
      onBody(bytes) {
        first ??= Buffer.from(bytes.subarray(0, endBytes));
        last = (last + bytes.toString('latin1', Math.max(0, bytes.length - endBytes))).slice(
          -endBytes,
        );
      },
      onEnd: () => {
        this.requests += 1;
        const isStream = streamMark.test(last) || streamMark.test(first?.toString('latin1') ?? '');
        const kind = makesVectors ? 'vectors' : isStream ? 'stream' : 'whole';
        const { delayMs } = this.#behaviour;
        if (delayMs > 0) setTimeout(() => this.#answer(socket, kind), delayMs);
        else this.#answer(socket, kind);
      },
    });
    socket.on('data', (bytes) => reader.read(bytes)).on('error', () => socket.destroy());
  }

  #answer(socket: Socket, kind: Kind): void {
    if (kind !== 'stream' || this.#behaviour.failureStatus !== undefined) {
      socket.write(kind === 'vectors' ? this.#vectors : this.#whole);
      return;
    }
    const [opening] = this.#streamed;
    if (opening) socket.write(opening);
    this.#streams.add({ socket, writes: this.#streamed, next: 1 });
    this.#planRound();
  }

  /** One write for each open stream, then whatever else there is to do, then the next. */
  readonly #round = () => {
    this.#isRoundPlanned = false;
    for (const stream of this.#streams) {
      const { socket, writes } = stream;
      if (socket.writableLength > unsentBytesMax) continue;
      const bytes = writes[stream.next];
      if (bytes === undefined || socket.destroyed) {
        this.#streams.delete(stream);
        continue;
      }
      socket.write(bytes);
      stream.next += 1;
      if (stream.next === writes.length) this.#streams.delete(stream);
    }
    this.#planRound();
  };

  #planRound(): void {
    if (this.#isRoundPlanned || this.#streams.size === 0) return;
    this.#isRoundPlanned = true;
    const { deltaGapMs } = this.#behaviour;
    if (deltaGapMs > 0) setTimeout(this.#round, deltaGapMs);
    else setImmediate(this.#round);
  }
}
