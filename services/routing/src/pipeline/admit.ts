import { isRejection, type Rejection } from '@sluice/errors';
import type { Principal } from '@sluice/inference';
import { refusalOf, Shortage, type Budget, type Hold, type SpendRefusal } from '@sluice/spend';
import type { PlannedAttempt } from '../choice/plan.ts';
import type { Policy } from '../policy/policy.ts';
import { budgetsOf } from '../spend/budgets-of.ts';
import type { InputMeasure } from './input-bound.ts';
import { holdOrAsk, type Spender } from './hold-or-ask.ts';
import { affordableOutputTokens, outputTokensWanted, worstCaseNanoUsd } from './worst-case.ts';

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
  readonly hold: Hold;
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
export async function admit(pipeline: Spender, asked: Asked): Promise<Admission | Rejection> {
  const { attempts } = asked;
  const budgets = budgetsOf(asked.principal, asked.policy);
  const wanted = outputTokensWanted(asked.outputTokensMax, attempts);
  const held = await holdOrAsk(pipeline, budgets, worstCaseNanoUsd(attempts, asked.input, wanted));
  if (!(held instanceof Shortage)) return { hold: held, outputTokensMax: wanted };
  const answer = smaller(pipeline, budgets, { asked, wanted, shortage: held });
  if (isRejection(answer)) pipeline.metrics.spendRefusals.add(1, { reason: answer.rejected });
  return answer;
}

interface TooLarge {
  readonly asked: Asked;
  readonly wanted: number;
  readonly shortage: Shortage;
}

function smaller(
  { spending, clock }: Spender,
  budgets: readonly Budget[],
  { asked, wanted, shortage }: TooLarge,
): Admission | Rejection {
  const { attempts } = asked;
  const refusal = refusalOf(shortage.lease);
  const at = clock.now();
  const affordableNanoUsd = spending.affordableNanoUsd(budgets, at);
  const affordable = affordableOutputTokens(attempts, asked.input, affordableNanoUsd);
  if (affordable < Math.min(outputTokensMin, wanted)) return refusal;
  if (asked.outputTokensMax !== undefined) return tooManyTokens(refusal, wanted, affordable);
  const clamped = Math.min(wanted, affordable);
  const hold = spending.hold(budgets, worstCaseNanoUsd(attempts, asked.input, clamped), at);
  return hold instanceof Shortage ? refusalOf(hold.lease) : { hold, outputTokensMax: clamped };
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
