import { isRejection, type Rejection } from '@sluice/errors';
import type { Principal } from '@sluice/inference-port';
import { refusalOf, Shortage } from '@sluice/spend';
import type { ByokTerms } from '../byok/byok-terms.ts';
import type { Policy } from '../policy/policy.ts';
import { budgetsOf } from './budgets-of.ts';
import type { Spender } from './hold-or-ask.ts';
import { type HeldWorst, holdWorst } from './hold-worst.ts';
import { waitForMoney } from './wait-for-money.ts';

/** One call of a tool that wants to be admitted. */
export interface AskedTool {
  readonly principal: Principal;
  readonly policy: Policy;
  /** The most that the call can cost. */
  readonly worstNanoUsd: bigint;
  /** The engine charges the account itself. */
  readonly hasOwnCredential: boolean;
}

/** An own key of an engine costs no fee, and takes nothing of the allowance for models. */
const toolTerms: ByokTerms = { allowanceNanoUsd: 0n, feeBasisPoints: 0 };

/**
 * Holds the worst case of a call of a tool in all budgets of the caller, as that of a model call is held. With an own
 * credential only budgets that include BYOK hold it. Returns a Rejection if a budget lacks it. Throws unavailable if
 * the ledger does not answer.
 */
export async function holdTool(
  spender: Spender,
  { principal, policy, worstNanoUsd, hasOwnCredential }: AskedTool,
): Promise<HeldWorst | Rejection> {
  const { accountId } = principal;
  const budgets = { accountId, all: budgetsOf(principal, policy), terms: toolTerms };
  const worst = hasOwnCredential
    ? { sharedNanoUsd: 0n, listNanoUsd: worstNanoUsd, freeRequests: 0n }
    : { sharedNanoUsd: worstNanoUsd, listNanoUsd: undefined, freeRequests: 0n };
  const answer = await waitForMoney<HeldWorst>(spender, budgets, async () => {
    const held = await holdWorst(spender, budgets, worst);
    if (!(held instanceof Shortage)) return held;
    return { rejection: refusalOf(held, spender.clock.now()), shortage: held };
  });
  if (isRejection(answer)) spender.metrics.spendRefusals.add(1, { reason: answer.rejected });
  return answer;
}
