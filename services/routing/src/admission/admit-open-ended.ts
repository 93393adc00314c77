import { outputTokensMin } from '@sluice/providers';
import { Shortage } from '@sluice/spend';
import { type Budgets, holdWorst, type WorstCase } from './hold-worst.ts';
import type { Admission, Asked } from './admission.ts';
import type { Spender } from './hold-or-ask.ts';
import { affordableOutputTokens, outputTokensWanted, worstCase } from './worst-case.ts';

/** A request takes all that its model can give while that is no larger part of what is left. */
const ampleSharers = 16;
/** A smaller answer is not worth its input. */
const answerTokensMin = 8;
/** An even part that is smaller is raised to this, as far as the budget goes: few answers, but useful ones. */
const usefulTokens = 256;
/** So often the part is reckoned anew when others were faster. */
const roundsMax = 4;

/** Returns true when a hold is so small a part of the rest that requests need not share it. */
export function isAmple(
  { spending, clock }: Spender,
  { all }: Budgets,
  { sharedNanoUsd }: WorstCase,
): boolean {
  const part = spending.evenPartNanoUsd(all, clock.now(), ampleSharers);
  return part !== undefined && sharedNanoUsd <= part;
}

/**
 * Admits a request whose client names no output limit, on the platform's credentials. It holds all that its
 * models can give. Where the budgets lack that, it holds its even part of what is left, among the requests that
 * share the budgets now, and so much becomes its limit: alone it gets all that is left.
 */
export async function admitOpenEnded(
  spender: Spender,
  budgets: Budgets,
  asked: Asked,
): Promise<Admission | Shortage> {
  const { attempts, input } = asked;
  const most = outputTokensWanted(undefined, attempts);
  const least = Math.min(most, leastTokens(asked));
  const hold = async (tokens: number): Promise<Admission | Shortage> => {
    const held = await holdWorst(spender, budgets, worstCase(attempts, input, tokens));
    return held instanceof Shortage ? held : { held, attempts, outputTokensMax: tokens };
  };
  for (let round = 1; round < roundsMax; round += 1) {
    const part = partTokens(spender, budgets, asked);
    if (part === undefined) {
      // The first request of a budget asks the ledger what there is, and takes its part of that.
      const first = await hold(least);
      if (first instanceof Shortage || least === most) return first;
      spender.spending.release(first.held.hold);
      continue;
    }
    const tokens = Math.max(least, Math.min(most, part));
    const admission = await hold(tokens);
    if (!(admission instanceof Shortage) || tokens === least) return admission;
  }
  return await hold(least);
}

function leastTokens({ attempts, thinkingTokensMin = 0 }: Asked): number {
  const floors = attempts.map(({ endpoint }) => outputTokensMin(endpoint.endpoint));
  const thinking = thinkingTokensMin > 0 ? thinkingTokensMin + usefulTokens : 0;
  return Math.max(answerTokensMin, thinking, ...floors);
}

/** Returns undefined if it is not known how much money is left. */
function partTokens(
  { spending, clock }: Spender,
  { all }: Budgets,
  { attempts, input }: Asked,
): number | undefined {
  const at = clock.now();
  const part = spending.evenPartNanoUsd(all, at, 1);
  const left = spending.leftNanoUsd(all, at);
  if (part === undefined || left === undefined) return undefined;
  const useful = Math.min(usefulTokens, affordableOutputTokens(attempts, input, left));
  return Math.max(useful, affordableOutputTokens(attempts, input, part));
}
