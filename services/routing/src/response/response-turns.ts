import type { Rejection } from '@sluice/errors';
import type { InputItem, ToolChoice } from '@sluice/inference';
import type { TurnStage } from '../stages/stage.ts';
import type { TurnEnd } from '../turn/settle.ts';
import type { Turn } from '../turn/turn.ts';

/** The turns of one response. */
export interface ResponseTurns {
  /** The first turn, or the one that `next` returned last. */
  readonly turn: Turn;
  readonly turnStages: readonly TurnStage[];
  /**
   * Begins the next turn. The endpoint that served is tried first, and the input grows by `items` as the turn stages
   * leave them. Returns a Rejection if a stage refuses them.
   */
  next(
    end: Pick<TurnEnd, 'served' | 'nextPart'>,
    items: readonly InputItem[],
    choice?: ToolChoice,
  ): Promise<Turn | Rejection>;
  /** Begins the same turn again. Nothing of its answer has left. */
  again(end: Pick<TurnEnd, 'nextPart'>): Turn;
}
