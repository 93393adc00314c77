import type { Rejection } from '@sluice/errors';
import type { Shortage } from '@sluice/spend';
import { freedWithin, type Spender } from './hold-or-ask.ts';
import type { Budgets } from './hold-worst.ts';

/** A request that lacks money, and what it lacks. */
export interface Refused {
  readonly rejection: Rejection;
  readonly shortage: Shortage;
}

/** A request waits so long for money that running requests hold. */
const heldMsMax = 1_000;
/** Pause before money that another replica holds is asked for again. */
const elsewhereMs = 100;
/** The number of requests that may wait for one budget. Further ones are refused at once. */
const waitingMax = 64;

/** Tries again when a running request has ended, as long as its money would do. Others see that it waits. */
export async function waitForMoney<Held extends object>(
  spender: Pick<Spender, 'spending' | 'clock'>,
  { accountId, all }: Budgets,
  attempt: () => Promise<Held | Refused>,
): Promise<Held | Rejection> {
  const leave = spender.spending.enter(all, spender.clock.now());
  const untilMs = performance.now() + heldMsMax;
  try {
    for (;;) {
      // Listens before the ledger is asked, so that no end of a request is missed.
      const freed = spender.spending.freed(accountId);
      const answer = await attempt();
      if (!isRefused(answer)) return answer;
      const { shortage, rejection } = answer;
      const leftMs = untilMs - performance.now();
      if (leftMs <= 0 || !shortage.isPassing || shortage.lease.sharers.entering > waitingMax)
        return rejection;
      await freedWithin(Math.min(leftMs, elsewhereMs), freed);
    }
  } finally {
    leave();
  }
}

function isRefused(answer: object): answer is Refused {
  return 'shortage' in answer;
}
