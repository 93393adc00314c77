import { affordableOutputTokens as affordableAt, holdNanoUsd } from '@sluice/inference';
import { outputTokensMin } from '@sluice/providers';
import { outputTokensMaxOf, outputTokensUnasked } from '../selection/candidate.ts';
import type { PlannedAttempt } from '../selection/plan.ts';
import { takesFreeRequest } from './free-requests.ts';
import type { WorstCase } from './hold-worst.ts';
import { type InputBounds, inputBounds, type InputMeasure } from './input-bound.ts';

/** No model writes more where the catalog names neither an output limit nor a context length. */
const outputTokensUnknown = 2_097_152;
/** Beyond it no model goes and a number would not be exact. */
const countableMax = 2n ** 50n;

/**
 * Returns the output limit that is sent to an attempt; undefined: none, because neither the client nor the
 * catalog names one and the dialect needs none. `asked` is what the hold pays for; Infinity: all of it.
 */
export function outputTokensSent(asked: number, attempt: PlannedAttempt): number | undefined {
  const limit = Math.min(asked, outputTokensMaxOf(attempt));
  return limit < Infinity ? limit : outputTokensUnasked(attempt);
}

/** Returns the most output tokens that an attempt can be billed for: the limit that is sent, or the context. */
function outputTokensBound(asked: number, attempt: PlannedAttempt): number {
  return outputTokensSent(asked, attempt) ?? contextLengthOf(attempt) ?? outputTokensUnknown;
}

/**
 * Returns what the client asks for, raised to what every provider takes. A client that names no limit asks for
 * all that the models give: the largest limit among them, or Infinity where the catalog knows none.
 */
export function outputTokensWanted(
  asked: number | undefined,
  attempts: readonly PlannedAttempt[],
): number {
  // Vectors are no output tokens.
  if (asked === 0) return 0;
  let wanted = asked ?? Infinity;
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

/** Returns whether a hold pays for a request at one attempt. */
export function isCovered(
  { sharedNanoUsd, listNanoUsd = 0n }: WorstCase,
  attempt: PlannedAttempt,
  { input, outputTokens }: { readonly input: InputMeasure; readonly outputTokens: number },
): boolean {
  const heldNanoUsd = attempt.credential ? listNanoUsd : sharedNanoUsd;
  return worstCaseNanoUsd([attempt], input, outputTokens) <= heldNanoUsd;
}

/** The dearest attempt decides: any of them may be the one that answers. */
export function worstCaseNanoUsd(
  attempts: readonly PlannedAttempt[],
  input: InputMeasure,
  outputTokens: number,
): bigint {
  let worst = 0n;
  for (const attempt of attempts) {
    const outputTokensMax = outputTokensBound(outputTokens, attempt);
    const bounds = { ...boundsOf(input, attempt), outputTokensMax };
    const cost = holdNanoUsd(bounds, attempt.endpoint.prices);
    if (cost > worst) worst = cost;
  }
  return worst;
}

/** Returns the output tokens that an amount pays for at every attempt. Below 0, it does not even pay for the input. */
export function affordableOutputTokens(
  attempts: readonly PlannedAttempt[],
  input: InputMeasure,
  affordableNanoUsd: bigint,
): number {
  return Math.min(
    ...attempts.map((attempt) => {
      const bounds = boundsOf(input, attempt);
      const tokens = affordableAt(bounds, attempt.endpoint.prices, affordableNanoUsd);
      const isEnough = tokens === undefined || tokens > countableMax;
      const most = Math.min(
        outputTokensMaxOf(attempt),
        contextLengthOf(attempt) ?? outputTokensUnknown,
      );
      if (isEnough || Number(tokens) >= most) return Infinity;
      return Number(tokens);
    }),
  );
}

function boundsOf(input: InputMeasure, attempt: PlannedAttempt): InputBounds {
  const { countsTextsOnly = false } = attempt.endpoint.endpoint;
  return inputBounds(input, {
    contextLength: contextLengthOf(attempt),
    addsFraming: !countsTextsOnly,
    native: input.natives?.get(attempt.endpoint.id),
  });
}

export function contextLengthOf({ model, endpoint }: PlannedAttempt): number | undefined {
  return endpoint.contextLength ?? model.contextLength;
}
