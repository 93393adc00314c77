import { isRejection, type Rejection } from '@sluice/errors';
import type { TurnDeps } from './deps.ts';
import { holdTurn } from './hold.ts';
import type { OpeningTurn, Turn } from './turn.ts';

/**
 * Examines whether the caller can pay for a turn, before tools run whose outputs the turn reads. Nothing stays held:
 * the turn is held on its true input when it begins. Returns a Rejection if a budget lacks its worst case.
 */
export async function acceptTurn(deps: TurnDeps, turn: Turn): Promise<OpeningTurn | Rejection> {
  const held = await holdTurn(deps, turn);
  if (!isRejection(held)) deps.spending.release(held.held.hold);
  return held;
}
