import type { UsageReport } from '../request/usage-report.ts';
import type { TurnEnd } from '../turn/settle.ts';
import type { OpeningTurn, Turn } from '../turn/turn.ts';

/** Returns the facts by which a response opens whose model is not asked, because a worker waits for the client. */
export function waitingTurn({ plan, request }: Turn, at: Date): OpeningTurn {
  return {
    request,
    first: plan.attempts[0],
    isOpenEnded: request.maxOutputTokens === undefined,
    dropsThinking: false,
    startedMs: performance.now(),
    held: { hold: { at } },
  };
}

/** Returns the end of such a response. */
export function waitingEnd(
  { plan }: Turn,
  at: Date,
  { nextPart, usage }: { readonly nextPart: number; readonly usage: UsageReport },
): TurnEnd {
  return {
    last: { type: 'finish', reason: 'tool-calls', nativeReason: undefined, usage: undefined },
    nextPart,
    served: plan.attempts[0],
    usage,
    completedAt: Math.floor(at.getTime() / 1_000),
    serviceTier: undefined,
  };
}
