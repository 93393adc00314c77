import { isRejection, type Rejection } from '@sluice/errors';
import { firstOutput } from './attempts.ts';
import type { TurnDeps } from './deps.ts';
import { holdTurn } from './hold.ts';
import { relay } from './relay.ts';
import type { TurnEnd } from './settle.ts';
import type { Turn } from './turn.ts';
import type { TurnListener } from './turn-listener.ts';

/**
 * Runs one model call: hold, intent, attempts, relay, settle. Resolves with the last part of the answer: nothing leaves
 * through the listener after it. The caller awaits `durable` of the end before a client learns of it. Returns a
 * Rejection if the worst case cannot be held. Throws a Fault if no attempt gives output.
 */
export async function runTurn(
  deps: TurnDeps,
  turn: Turn,
  listener: TurnListener,
): Promise<TurnEnd | Rejection> {
  turn.cancellation.awaitsOutput();
  const holding = holdTurn(deps, turn);
  const held = holding instanceof Promise ? await holding : holding;
  if (isRejection(held)) return held;
  listener.held(held);
  const started = await firstOutput(deps, held);
  const fair = deps.fairly?.();
  if (fair) await fair;
  listener.began(started.planned);
  return await relay(deps, started.turn, { started, listener });
}
