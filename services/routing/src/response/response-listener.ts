import type { AnswerPart } from '@sluice/inference';
import type { OpeningTurn } from '../turn/turn.ts';

/** Follows a response. */
export interface ResponseListener {
  /** Called when the worst case of the first turn is held: upstreams are called from here on. */
  opened(held: OpeningTurn): void;
  /** Called when a model has given its first output in a turn. */
  servedBy(model: string, provider: string): void;
  /**
   * Called with each batch of parts. They are numbered for the response. The last part of the answer is not among them.
   * May return a promise to make the response wait for a slow client.
   */
  parts(parts: readonly AnswerPart[]): Promise<void> | undefined;
}
