import type { StreamPart } from '@sluice/inference';
import type { CallProgress } from '@sluice/providers';

const none: readonly StreamPart[] = [];

/** Notes how far the call of one attempt came: what its books say when it fails before any output. */
export class CallRecord implements CallProgress {
  #reach: 'unsent' | 'sent' | 'refused' | 'answered' = 'unsent';
  /** The parts that were read of an answer without output. */
  parts: readonly StreamPart[] = none;

  sent(): void {
    this.#reach = 'sent';
  }

  refused(): void {
    this.#reach = 'refused';
  }

  answered(): void {
    this.#reach = 'answered';
  }

  broke(parts: readonly StreamPart[]): void {
    this.parts = parts;
  }

  /** The head of an answer was read. */
  get isAnswered(): boolean {
    return this.#reach === 'answered';
  }

  /**
   * Returns true if the provider may charge the attempt. It may have made an answer that never arrived: the head of a
   * whole answer comes after all of it, and the head of a stream may be on its way when Sluice gives up.
   */
  get mayBeBilled(): boolean {
    return this.isAnswered || this.#reach === 'sent';
  }
}
