import { isRejection, type Rejection } from '@sluice/errors';
import type { Principal } from '@sluice/inference';
import { refusalOf, Shortage, type SpendRefusal } from '@sluice/spend';
import type { PlannedAttempt } from '../choice/plan.ts';
import type { Policy } from '../policy/policy.ts';
import { budgetsOf } from '../spend/budgets-of.ts';
import type { ByokTerms } from '../spend/byok-terms.ts';
import { takesFreeRequest } from '../spend/free-requests.ts';
import {
  type Budgets,
  fitsNow,
  heldShared,
  type HeldWorst,
  holdWorst,
  sharedTaken,
} from '../spend/hold-worst.ts';
import type { InputMeasure } from './input-bound.ts';
import type { Spender } from './hold-or-ask.ts';
import { affordableOutputTokens, outputTokensWanted, worstCase } from './worst-case.ts';

export interface Asked {
  readonly principal: Principal;
  readonly policy: Policy;
  readonly attempts: readonly PlannedAttempt[];
  readonly input: InputMeasure;
  /** The client's own limit. */
  readonly outputTokensMax: number | undefined;
}

/** A request that may run: the worst it can cost is held. */
export interface Admission {
  readonly held: HeldWorst;
  /** Those that the hold pays for: at least one. */
  readonly attempts: readonly PlannedAttempt[];
  /** What the hold pays for: sent upstream as the limit, as far as its model goes. */
  readonly outputTokensMax: number;
}

/** Providers refuse limits below this; who cannot afford it is out of money. */
const outputTokensMin = 16;

/**
 * Holds the worst case of a request, or says why not. What the leases cannot hold is asked for: nothing
 * is refused while the ledger has it. A client that named no limit gets the output that is affordable;
 * one that named a limit is told what would be. Throws unavailable when the ledger does not answer, or
 * does not come to an end of answering.
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

/** Mostly the leases have it, and nobody has to be waited for. undefined: that takes a closer look. */
function admitAtOnce(
  { spending, clock }: Spender,
  budgets: Budgets,
  { attempts, input, outputTokensMax }: Asked,
): Admission | undefined {
  if (attempts.some(isOwn)) return undefined;
  const wanted = outputTokensWanted(outputTokensMax, attempts);
  const worst = worstCase(attempts, input, wanted);
  const taken = sharedTaken(budgets, worst);
  const hold = spending.hold(taken.budgets, taken.amounts, clock.now());
  if (hold instanceof Shortage) return undefined;
  return { held: heldShared(hold, budgets, worst), attempts, outputTokensMax: wanted };
}

async function admitOrAsk(
  pipeline: Spender,
  budgets: Budgets,
  asked: Asked,
): Promise<Admission | Rejection> {
  const answer = await admitWithin(pipeline, budgets, asked);
  if (isRejection(answer)) pipeline.metrics.spendRefusals.add(1, { reason: answer.rejected });
  return answer;
}

/**
 * Who cannot pay the shared endpoints may still be able to pay those with credentials of their own. Where that
 * is known already, nobody is asked for more before those are tried. An account whose quota of requests to free
 * models is used up still gets what its request names beside them.
 */
async function admitWithin(
  spender: Spender,
  budgets: Budgets,
  asked: Asked,
): Promise<Admission | Rejection> {
  const { attempts } = asked;
  const wanted = outputTokensWanted(asked.outputTokensMax, attempts);
  const worst = worstCase(attempts, asked.input, wanted);
  const own = worst.sharedNanoUsd > 0n ? attempts.filter(isOwn) : [];
  const isBroke = own.length > 0 && isUsedUp(spender, budgets, worst.sharedNanoUsd);
  if (isBroke) {
    const admission = await admitWithin(spender, budgets, { ...asked, attempts: own });
    if (!isRejection(admission)) return admission;
  }
  const held = await holdWorst(spender, budgets, worst);
  if (!(held instanceof Shortage)) return { held, attempts, outputTokensMax: wanted };
  const isRate = isRateOf(held);
  const others = isRate ? attempts.filter((one) => !takesFreeRequest(one)) : isBroke ? [] : own;
  if (others.length > 0) {
    const admission = await admitWithin(spender, budgets, { ...asked, attempts: others });
    if (!isRejection(admission)) return admission;
  }
  if (isRate) return refusalOf(held.lease, spender.clock.now());
  return await smaller(spender, budgets, { asked, wanted, shortage: held });
}

/** True: it is the quota of requests to free models that is used up, which no smaller request fits into. */
function isRateOf({ lease }: Shortage): boolean {
  return lease.budget.scopeKind === 'free_requests';
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
): Promise<Admission | Rejection> {
  const { attempts } = asked;
  const refusal = refusalOf(shortage.lease, spender.clock.now());
  const affordable = affordableTokens(spender, budgets, { asked, wanted });
  if (affordable < Math.min(outputTokensMin, wanted)) return refusal;
  if (asked.outputTokensMax !== undefined) return tooManyTokens(refusal, wanted, affordable);
  const clamped = Math.min(wanted, affordable);
  const held = await holdWorst(spender, budgets, worstCase(attempts, asked.input, clamped));
  return held instanceof Shortage
    ? refusalOf(held.lease, spender.clock.now())
    : { held, attempts, outputTokensMax: clamped };
}

/** Below 0: not even the input. */
function affordableTokens(
  spender: Spender,
  budgets: Budgets,
  { asked: { attempts, input }, wanted }: Pick<TooLarge, 'asked' | 'wanted'>,
): number {
  if (!attempts.some(isOwn)) {
    const left = spender.spending.affordableNanoUsd(budgets.all, spender.clock.now());
    return affordableOutputTokens(attempts, input, left);
  }
  // What is free and what is not make a bend in the cost, which only ever grows: halved until it is found.
  let fits = -1;
  let tooMany = wanted + 1;
  while (tooMany - fits > 1) {
    const tokens = Math.floor((fits + tooMany) / 2);
    if (fitsNow(spender, budgets, worstCase(attempts, input, tokens))) fits = tokens;
    else tooMany = tokens;
  }
  return fits;
}

function tooManyTokens(refusal: SpendRefusal, wanted: number, affordable: number): Rejection {
  return {
    rejected: 'token_limit_exceeded',
    message:
      `${refusal.message}: ${String(wanted)} output tokens were asked for, ` +
      `${String(affordable)} are affordable`,
    metadata: {
      ...refusal.metadata,
      max_output_tokens: wanted,
      affordable_output_tokens: affordable,
    },
  };
}
