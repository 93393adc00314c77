import type { Rejection } from '@sluice/errors';
import type { TurnDeps } from '../turn/deps.ts';
import type { TurnEnd } from '../turn/settle.ts';
import type { TurnListener } from '../turn/turn-listener.ts';
import type { ResponseTurns } from './response-turns.ts';

/** Runs the turns of a response. Returns the end of the last one with the usage of all. */
export type TurnLoop = (
  deps: TurnDeps,
  response: ResponseTurns,
  listener: TurnListener,
) => Promise<TurnEnd | Rejection>;
