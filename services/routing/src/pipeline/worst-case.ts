import { holdNanoUsd, type Prices } from '@sluice/inference';
import type { Model } from '../catalog/catalog.ts';

/** A token is at least a byte; what servers add around the messages fits into the margin. */
const inputTokensMargin = 64;
/** What a client that names no limit gets. */
const outputTokensDefault = 4_096;
const attoPerNano = 1_000_000_000n;
/** Beyond it no model goes and a number would not be exact. */
const countableMax = 2n ** 50n;

/** No request of this size has more input tokens. */
export function inputTokensMax(bodyBytes: number): number {
  return bodyBytes + inputTokensMargin;
}

/** What the client asks for, as far as the model goes. */
export function outputTokensWanted(asked: number | undefined, model: Model): number {
  return Math.min(asked ?? outputTokensDefault, model.outputTokensMax ?? Infinity);
}

/** The dearest endpoint decides: any of them may be the one that answers. */
export function worstCaseNanoUsd(model: Model, inputTokens: number, outputTokens: number): bigint {
  let worst = 0n;
  for (const { prices } of model.endpoints) {
    const cost = holdNanoUsd(inputTokens, outputTokens, prices);
    if (cost > worst) worst = cost;
  }
  return worst;
}

/** How many output tokens an amount pays for at every endpoint; below 0: not even the input. */
export function affordableOutputTokens(
  model: Model,
  inputTokens: number,
  affordableNanoUsd: bigint,
): number {
  return Math.min(
    ...model.endpoints.map(({ prices }) => affordable(prices, inputTokens, affordableNanoUsd)),
  );
}

function affordable(prices: Prices, inputTokens: number, affordableNanoUsd: bigint): number {
  const input = holdNanoUsd(inputTokens, 0, prices);
  if (input > affordableNanoUsd) return -1;
  if (prices.outputTokenAttoUsd === 0n) return Infinity;
  const dearest =
    prices.inputTokenAttoUsd > prices.cachedTokenAttoUsd
      ? prices.inputTokenAttoUsd
      : prices.cachedTokenAttoUsd;
  const left =
    affordableNanoUsd * attoPerNano - BigInt(inputTokens) * dearest - prices.requestAttoUsd;
  const tokens = left / prices.outputTokenAttoUsd;
  return tokens > countableMax ? Infinity : Number(tokens);
}
