import { affordableOutputTokens as affordableAt, holdNanoUsd } from '@sluice/inference';
import { outputTokensMin } from '@sluice/providers';
import type { PlannedAttempt } from '../choice/plan.ts';
import { takesFreeRequest } from '../spend/free-requests.ts';
import type { WorstCase } from '../spend/hold-worst.ts';
import { inputBounds, type InputMeasure } from './input-bound.ts';

/** What a client that names no limit gets. */
const outputTokensDefault = 4_096;
/** Beyond it no model goes and a number would not be exact. */
const countableMax = 2n ** 50n;

/** The most that an attempt's model says; Infinity: it is not known. */
export function outputTokensMaxOf({ model, endpoint }: PlannedAttempt): number {
  return endpoint.outputTokensMax ?? model.outputTokensMax ?? Infinity;
}

/** What the client asks for, as far as any attempt's model goes; never less than a provider of them takes. */
export function outputTokensWanted(
  asked: number | undefined,
  attempts: readonly PlannedAttempt[],
): number {
  let wanted = asked ?? outputTokensDefault;
  let most = -Infinity;
  for (const attempt of attempts) {
    wanted = Math.max(wanted, outputTokensMin(attempt.endpoint.endpoint));
    most = Math.max(most, outputTokensMaxOf(attempt));
  }
  return Math.min(wanted, most);
}

/** With the platform's credentials and with own ones apart: they are paid by other budgets. */
export function worstCase(
  attempts: readonly PlannedAttempt[],
  input: InputMeasure,
  outputTokens: number,
): WorstCase {
  const freeRequests = attempts.some(takesFreeRequest) ? 1n : 0n;
  if (!attempts.some(({ credential }) => credential !== undefined))
    return {
      sharedNanoUsd: worstCaseNanoUsd(attempts, input, outputTokens),
      listNanoUsd: undefined,
      freeRequests,
    };
  const own = attempts.filter(({ credential }) => credential !== undefined);
  const shared = attempts.filter(({ credential }) => credential === undefined);
  return {
    sharedNanoUsd: worstCaseNanoUsd(shared, input, outputTokens),
    listNanoUsd: worstCaseNanoUsd(own, input, outputTokens),
    freeRequests,
  };
}

/** The dearest attempt decides: any of them may be the one that answers. */
export function worstCaseNanoUsd(
  attempts: readonly PlannedAttempt[],
  input: InputMeasure,
  outputTokens: number,
): bigint {
  let worst = 0n;
  for (const attempt of attempts) {
    const outputTokensMax = Math.min(outputTokens, outputTokensMaxOf(attempt));
    const { inputTokensMax, imagesMax } = inputBounds(input, contextLengthOf(attempt));
    const bounds = { inputTokensMax, imagesMax, outputTokensMax };
    const cost = holdNanoUsd(bounds, attempt.endpoint.prices);
    if (cost > worst) worst = cost;
  }
  return worst;
}

/** How many output tokens an amount pays for at every attempt; below 0: not even the input. */
export function affordableOutputTokens(
  attempts: readonly PlannedAttempt[],
  input: InputMeasure,
  affordableNanoUsd: bigint,
): number {
  return Math.min(
    ...attempts.map((attempt) => {
      const bounds = inputBounds(input, contextLengthOf(attempt));
      const tokens = affordableAt(bounds, attempt.endpoint.prices, affordableNanoUsd);
      const isEnough = tokens === undefined || tokens > countableMax;
      if (isEnough || Number(tokens) >= outputTokensMaxOf(attempt)) return Infinity;
      return Number(tokens);
    }),
  );
}

function contextLengthOf({ model, endpoint }: PlannedAttempt): number | undefined {
  return endpoint.contextLength ?? model.contextLength;
}
