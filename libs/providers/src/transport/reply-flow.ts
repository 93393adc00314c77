import type { StreamPart } from '@sluice/inference';
import type { Dispatcher } from 'undici';
import type { AnswerMemory, KeptAnswer } from './answer-memory.ts';
import { KeptBytes } from './kept-bytes.ts';
import type { Turns } from './turns.ts';

/** The bounds of a reply, and the resources that all replies of the process share. */
export interface FlowBounds {
  /** The largest size of the body in bytes. It may be known only after the request is built. */
  readonly answerBytesMax: number;
  readonly memory: AnswerMemory;
  readonly turns: Turns;
}

/** A reply that may be paused. */
export interface FlowingReply extends KeptAnswer {
  onResumed(): void;
}

/** Bounds the bytes that wait for the consumer. Above it the reply is paused. */
const pendingBytesMax = 64 * 1024;
/**
 * A reply that reads more at once yields to other replies. The bound is twice the bytes that undici reads from a
 * resumed socket. With a smaller bound undici would buffer more with each turn.
 */
const turnBytesMax = 128 * 1024;

/** Bounds the size of a reply, its memory, and the bytes that it reads in one turn of the event loop. */
export class ReplyFlow {
  readonly #bounds: FlowBounds;
  readonly #answer: FlowingReply;
  readonly #kept = new KeptBytes();
  #controller: Dispatcher.DispatchController | undefined;
  #bytes = 0;
  #turnBytes = 0;
  #pendingBytes = 0;
  #awaitsTurn = false;
  #awaitsRoom = false;
  #hasEnded = false;

  constructor(bounds: FlowBounds, answer: FlowingReply) {
    this.#bounds = bounds;
    this.#answer = answer;
  }

  /** Counts a read. Returns false if the body exceeds its bound. */
  read(bytes: number): boolean {
    this.#bytes += bytes;
    this.#turnBytes += bytes;
    this.#pendingBytes += bytes;
    return this.#bytes <= this.#bounds.answerBytesMax;
  }

  /** Counts the parts of a read. May end an answer, including this one. Pauses the reply if it has to yield. */
  parsed(
    controller: Dispatcher.DispatchController,
    parts: readonly StreamPart[],
    state: {
      readonly readBytes: number;
      readonly unreadBytes: number;
      /** Parts are ready for the consumer. */
      readonly isAwaited: boolean;
    },
  ): void {
    this.#controller = controller;
    this.#kept.read(state.readBytes, parts);
    this.#bounds.memory.keep(this.#answer, this.#kept.bytes(state.unreadBytes));
    if (this.#hasEnded) return;
    // Unparsed bytes do not count: the reader bounds them, and the consumer cannot take them.
    if (!state.isAwaited) this.#pendingBytes = 0;
    this.#awaitsRoom = this.#pendingBytes > pendingBytesMax;
    if (this.#turnBytes > turnBytesMax && !this.#awaitsTurn) {
      this.#awaitsTurn = true;
      this.#bounds.turns.wait(() => this.#tookTurn());
    }
    if (this.#awaitsRoom || this.#awaitsTurn) controller.pause();
  }

  /** Resumes the reply after the consumer took all parts. */
  taken(): void {
    this.#pendingBytes = 0;
    if (this.#hasEnded) this.free();
    this.#awaitsRoom = false;
    this.#resume();
  }

  /** Marks the reply as ended. */
  end(): void {
    this.#hasEnded = true;
  }

  /** Frees the memory of the answer. */
  free(): void {
    this.#bounds.memory.free(this.#answer);
  }

  #tookTurn(): void {
    this.#awaitsTurn = false;
    this.#turnBytes = 0;
    this.#resume();
  }

  #resume(): void {
    const isStopped = this.#awaitsRoom || this.#awaitsTurn || this.#hasEnded;
    if (isStopped || !this.#controller?.paused) return;
    this.#answer.onResumed();
    this.#controller.resume();
  }
}
