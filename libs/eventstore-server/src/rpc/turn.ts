import { setImmediate as nextTurn } from 'node:timers/promises';

const eventsMax = 2_048;
const durationMsMax = 5;

/** Bounds the events and the time of a scan of the log before it yields to other work. */
export class Turn {
  readonly #nowMs: () => number;
  #events = 0;
  #startedMs: number;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
    this.#startedMs = nowMs();
  }

  /** Counts an event that was looked at; true when the scan must pause. */
  isOver(): boolean {
    this.#events++;
    return this.#events >= eventsMax || this.#nowMs() - this.#startedMs >= durationMsMax;
  }

  /** Lets the event loop turn. */
  async pause(): Promise<void> {
    await nextTurn();
    this.#events = 0;
    this.#startedMs = this.#nowMs();
  }
}
