import type { AnswerPart } from '@sluice/inference';
import type { PlannedAttempt } from '../selection/plan.ts';
import type { OpeningTurn } from './turn.ts';

/** Follows a turn. */
export interface TurnListener {
  /** Called when the worst case is held: upstreams are called from here on. */
  held(turn: OpeningTurn): void;
  /** Called when an attempt has given its first output: no other attempt is made. */
  began(attempt: PlannedAttempt): void;
  /**
   * Called with each batch of parts. The last part of the answer is not among them: the turn returns it. May return a
   * promise to make the turn wait for a slow client.
   */
  parts(parts: readonly AnswerPart[]): Promise<void> | undefined;
}
