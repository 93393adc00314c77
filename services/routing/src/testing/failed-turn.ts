import { failurePart } from '@sluice/client-errors';
import type { TurnEnd } from '../turn/settle.ts';

/** Returns the end of a loop that failed after a turn, which is paid for. */
export function failedTurn(end: TurnEnd, error: unknown): TurnEnd {
  return { ...end, last: failurePart(error) };
}
