import type { Rejection } from '@sluice/errors';
import type { InputItem, ToolChoice } from '@sluice/inference';
import type { TurnDeps } from '../turn/deps.ts';
import { runTurn } from '../turn/run-turn.ts';
import type { TurnEnd } from '../turn/settle.ts';
import type { Turn } from '../turn/turn.ts';
import type { TurnListener } from '../turn/turn-listener.ts';

/** The turns of one response. */
export interface ResponseTurns {
  /** The first turn, or the one that `next` returned last. */
  readonly turn: Turn;
  /** Begins the next turn. The endpoint that served is tried first, and the input grows by `items`. */
  next(
    end: Pick<TurnEnd, 'served' | 'nextPart'>,
    items: readonly InputItem[],
    choice?: ToolChoice,
  ): Turn;
}

/** Runs the turns of a response. Returns the end of the last one with the usage of all. */
export type TurnLoop = (
  deps: TurnDeps,
  response: ResponseTurns,
  listener: TurnListener,
) => Promise<TurnEnd | Rejection>;

/** Runs one turn. No tool runs between turns yet. */
export const oneTurn: TurnLoop = (deps, { turn }, listener) => runTurn(deps, turn, listener);
