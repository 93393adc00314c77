import { noUsage } from '../request/usage-report.ts';
import type { TurnEnd } from '../turn/settle.ts';

/** Returns the end of a response whose model was not asked yet: it ends so if a worker waits for the client. */
export function openingEnd(
  served: TurnEnd['served'],
  { at, nextPart }: { readonly at: Date; readonly nextPart: number },
): TurnEnd {
  return {
    durable: Promise.resolve(),
    last: { type: 'finish', reason: 'tool-calls', nativeReason: undefined, usage: undefined },
    nextPart,
    served,
    usage: noUsage,
    completedAt: Math.floor(at.getTime() / 1_000),
    serviceTier: undefined,
  };
}
