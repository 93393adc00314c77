import { isRejection, type Rejection } from '@sluice/errors';
import { refusalOf, Shortage } from '@sluice/spend';
import { responsesWords } from '../request/field-words.ts';
import type { PlannedAttempt } from '../selection/plan.ts';
import { budgetsOf } from './budgets-of.ts';
import type { ByokTerms } from '../byok/byok-terms.ts';
import { takesFreeRequest } from './free-requests.ts';
import { type Budgets, heldShared, holdWorst, sharedTaken } from './hold-worst.ts';
import { affordableTokens } from './affordable.ts';
import { admitOpenEnded, isAmple } from './admit-open-ended.ts';
import type { Admission, Asked } from './admission.ts';
import type { Spender } from './hold-or-ask.ts';
import { type Refused, waitForMoney } from './wait-for-money.ts';
import { outputTokensWanted, worstCase } from './worst-case.ts';

/**
 * Holds the worst-case cost of a request, or returns why not. When the leases cannot hold it, asks the ledger for
 * more: no request is refused while the ledger has the money. Waits up to a second for money that running requests
 * hold. A request without an output limit gets the affordable output; the refusal of one with a limit names what is
 * affordable. Throws unavailable when the ledger does not answer in time.
 */
export function admit(
  pipeline: Spender & { readonly byok: ByokTerms },
  asked: Asked,
): Admission | Promise<Admission | Rejection> {
  const { accountId } = asked.principal;
  const all = budgetsOf(asked.principal, asked.policy);
  const budgets = { accountId, all, terms: pipeline.byok };
  return admitAtOnce(pipeline, budgets, asked) ?? admitOrAsk(pipeline, budgets, asked);
}

/** Holds the worst case in the leases, if they have it. undefined: that takes a closer look. */
function admitAtOnce(
  spender: Spender,
  budgets: Budgets,
  { attempts, input, outputTokensMax }: Asked,
): Admission | undefined {
  if (attempts.some(isOwn)) return undefined;
  const wanted = outputTokensWanted(outputTokensMax, attempts);
  const worst = worstCase(attempts, input, wanted);
  if (outputTokensMax === undefined && !isAmple(spender, budgets, worst)) return undefined;
  const taken = sharedTaken(budgets, worst);
  const hold = spender.spending.hold(taken.budgets, taken.amounts, spender.clock.now());
  if (hold instanceof Shortage) return undefined;
  return { held: heldShared(hold, budgets, worst), attempts, outputTokensMax: wanted };
}

async function admitOrAsk(
  spender: Spender,
  budgets: Budgets,
  asked: Asked,
): Promise<Admission | Rejection> {
  const answer = await waitForMoney(spender, budgets, () => admitWithin(spender, budgets, asked));
  if (isRejection(answer)) spender.metrics.spendRefusals.add(1, { reason: answer.rejected });
  return answer;
}

/**
 * A caller that cannot pay for shared endpoints may be able to pay for those with credentials of its own. When that
 * is already known, the own credentials are tried before the ledger is asked for more. An account without free
 * requests left still gets the paid models that its request names.
 */
async function admitWithin(
  spender: Spender,
  budgets: Budgets,
  asked: Asked,
): Promise<Admission | Refused> {
  const { attempts } = asked;
  if (asked.outputTokensMax === undefined && !attempts.some(isOwn))
    return await openEnded(spender, budgets, asked);
  const wanted = outputTokensWanted(asked.outputTokensMax, attempts);
  const worst = worstCase(attempts, asked.input, wanted);
  const own = worst.sharedNanoUsd > 0n ? attempts.filter(isOwn) : [];
  const isBroke = own.length > 0 && isUsedUp(spender, budgets, worst.sharedNanoUsd);
  if (isBroke) {
    const admission = await admitWithin(spender, budgets, { ...asked, attempts: own });
    if (!('shortage' in admission)) return admission;
  }
  const held = await holdWorst(spender, budgets, worst);
  if (!(held instanceof Shortage)) return { held, attempts, outputTokensMax: wanted };
  const isRate = isRateOf(held);
  const others = isRate ? attempts.filter((one) => !takesFreeRequest(one)) : isBroke ? [] : own;
  if (others.length > 0) {
    const admission = await admitWithin(spender, budgets, { ...asked, attempts: others });
    if (!('shortage' in admission)) return admission;
  }
  if (isRate) return refused(spender, held);
  return await smaller(spender, budgets, { asked, wanted, shortage: held });
}

/** True: it is the quota of requests to free models that is used up, which no smaller request fits into. */
function isRateOf({ lease }: Shortage): boolean {
  return lease.budget.scopeKind === 'free_requests';
}

async function openEnded(
  spender: Spender,
  budgets: Budgets,
  asked: Asked,
): Promise<Admission | Refused> {
  const admission = await admitOpenEnded(spender, budgets, asked);
  if (!(admission instanceof Shortage)) return admission;
  const others = isRateOf(admission) ? asked.attempts.filter((one) => !takesFreeRequest(one)) : [];
  if (others.length === 0) return refused(spender, admission);
  return await admitWithin(spender, budgets, { ...asked, attempts: others });
}

const isOwn = ({ credential }: PlannedAttempt) => credential !== undefined;

/** True: one of the budgets lacks the amount here, and the ledger had nothing more of it when it said so last. */
function isUsedUp({ spending, clock }: Spender, { all }: Budgets, amountNanoUsd: bigint): boolean {
  const at = clock.now();
  return all.some(
    (budget) =>
      spending.isUsedUp(budget, at) && spending.affordableNanoUsd([budget], at) < amountNanoUsd,
  );
}

interface TooLarge {
  readonly asked: Asked;
  readonly wanted: number;
  readonly shortage: Shortage;
}

async function smaller(
  spender: Spender,
  budgets: Budgets,
  { asked, wanted, shortage }: TooLarge,
): Promise<Admission | Refused> {
  const { attempts, input } = asked;
  const affordable = affordableTokens(spender, budgets, { attempts, input, wanted });
  const least = Math.max(1, asked.thinkingTokensMin ?? 0);
  if (affordable < least || wanted === 0) return refused(spender, shortage);
  if (asked.outputTokensMax !== undefined)
    return tooManyTokens(refused(spender, shortage), { asked, wanted, affordable });
  const clamped = Math.min(wanted, affordable);
  const held = await holdWorst(spender, budgets, worstCase(attempts, input, clamped));
  return held instanceof Shortage
    ? refused(spender, held)
    : { held, attempts, outputTokensMax: clamped };
}

function refused({ clock }: Pick<Spender, 'clock'>, shortage: Shortage): Refused {
  return { rejection: refusalOf(shortage, clock.now()), shortage };
}

/** Refuses a request whose smaller answer could be paid. An administrator's budget keeps its own code. */
function tooManyTokens(
  { rejection, shortage }: Refused,
  { asked, wanted, affordable }: Omit<TooLarge, 'shortage'> & { readonly affordable: number },
): Refused {
  const { outputLimit } = asked.words ?? responsesWords;
  const isOwnMoney = ['credits_exhausted', 'key_limit_exceeded'].includes(rejection.rejected);
  return {
    shortage,
    rejection: {
      ...rejection,
      rejected: isOwnMoney ? 'token_limit_exceeded' : rejection.rejected,
      message: `${rejection.message}. A ${outputLimit} of ${String(affordable)} or less fits`,
      metadata: {
        ...rejection.metadata,
        max_output_tokens: wanted,
        affordable_output_tokens: affordable,
      },
    },
  };
}
