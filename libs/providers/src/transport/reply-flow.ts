import type { StreamPart } from '@sluice/inference';
import type { Dispatcher } from 'undici';
import type { AnswerMemory, KeptAnswer } from './answer-memory.ts';
import { KeptBytes } from './kept-bytes.ts';
import type { Turns } from './turns.ts';

/** The bounds of a reply, and the resources that it shares with all others of the process. */
export interface FlowBounds {
  /** The body of an answer may not be longer. */
  readonly answerBytesMax: () => number;
  readonly memory: AnswerMemory;
  readonly turns: Turns;
}

/** Bounds the bytes that wait for the consumer. Beyond it the upstream is paused. */
const pendingBytesMax = 64 * 1024;
/**
 * A reply that brings more at once lets others go on first. Twice what undici reads from a socket when it goes on: it
 * reads that much each time, and would keep ever more of it if less was taken in between.
 */
const turnBytesMax = 128 * 1024;

/** Holds a reply within its bounds: how long it is, what it keeps, and how much of it is read at once. */
export class ReplyFlow {
  readonly #bounds: FlowBounds;
  readonly #answer: KeptAnswer;
  readonly #onResumed: () => void;
  readonly #kept = new KeptBytes();
  #controller: Dispatcher.DispatchController | undefined;
  #bytes = 0;
  #turnBytes = 0;
  #pendingBytes = 0;
  #awaitsTurn = false;
  #awaitsRoom = false;
  #hasEnded = false;

  constructor(bounds: FlowBounds, answer: KeptAnswer, onResumed: () => void) {
    this.#bounds = bounds;
    this.#answer = answer;
    this.#onResumed = onResumed;
  }

  /** Something was read. False: the answer is longer than it may be. */
  read(bytes: number): boolean {
    this.#bytes += bytes;
    this.#turnBytes += bytes;
    this.#pendingBytes += bytes;
    return this.#bytes <= this.#bounds.answerBytesMax();
  }

  /** Notes that a read brought these parts. May end an answer, also this one. Stops reading if others go first. */
  told(
    controller: Dispatcher.DispatchController,
    parts: readonly StreamPart[],
    state: {
      readonly readBytes: number;
      readonly unreadBytes: number;
      /** Parts wait for the consumer, who may take them. */
      readonly isAwaited: boolean;
    },
  ): void {
    this.#controller = controller;
    this.#kept.read(state.readBytes, parts);
    this.#bounds.memory.keep(this.#answer, this.#kept.bytes(state.unreadBytes));
    if (this.#hasEnded) return;
    // The reader bounds the bytes that it has not passed on. No consumer could take more of them.
    if (!state.isAwaited) this.#pendingBytes = 0;
    this.#awaitsRoom = this.#pendingBytes > pendingBytesMax;
    if (this.#turnBytes > turnBytesMax && !this.#awaitsTurn) {
      this.#awaitsTurn = true;
      this.#bounds.turns.wait(this.#onTurn);
    }
    if (this.#awaitsRoom || this.#awaitsTurn) controller.pause();
  }

  /** The consumer has taken what there was. */
  taken(): void {
    this.#pendingBytes = 0;
    if (this.#hasEnded) this.free();
    this.#awaitsRoom = false;
    this.#resume();
  }

  /** Nothing more is read. */
  end(): void {
    this.#hasEnded = true;
  }

  /** Nothing of the answer is kept any more. */
  free(): void {
    this.#bounds.memory.free(this.#answer);
  }

  readonly #onTurn = (): void => {
    this.#awaitsTurn = false;
    this.#turnBytes = 0;
    this.#resume();
  };

  #resume(): void {
    const isStopped = this.#awaitsRoom || this.#awaitsTurn || this.#hasEnded;
    if (isStopped || !this.#controller?.paused) return;
    this.#onResumed();
    this.#controller.resume();
  }
}
