import { costNanoUsd, type Prices, type TokenUsage, uncachedUsage } from '@sluice/inference';

/** The end and the usage of an attempt, as far as its price depends on them. */
export interface Ended {
  readonly outcome: string;
  /** The canonical finish reason. Empty if the end was not read. */
  readonly finishReason: string;
  readonly usage: TokenUsage;
  /** The provider itself said that the generation failed. */
  readonly isDeclaredFailure: boolean;
  /** No part of an answer was read. The provider may still have generated one. */
  readonly isUnanswered?: boolean;
}

/**
 * Returns the provider's presumed charge. It is 0 for a generation that the provider declared failed, for one without
 * any part, and for one that a crash cut off before any output.
 */
export function servedNanoUsd(prices: Prices, ended: Ended): bigint {
  const { usage, outcome, isDeclaredFailure, isUnanswered = false } = ended;
  const isUnseen = isUnanswered || (outcome === 'interrupted' && usage.outputTokens === 0);
  return isDeclaredFailure || isUnseen ? 0n : costNanoUsd(usage, prices);
}

/**
 * Returns the price for the customer: the served usage, also after a cancellation. A failure is free, and so is an
 * attempt without output and without an end. The fact still has their tokens.
 */
export function billedNanoUsd(prices: Prices, ended: Ended): bigint {
  const { usage, finishReason, outcome } = ended;
  if (outcome === 'failed' || (usage.outputTokens === 0 && finishReason === '')) return 0n;
  return servedNanoUsd(prices, ended);
}

/** Returns the price for the customer if no cache of the provider had been used. Undefined: none was. */
export function uncachedNanoUsd(prices: Prices, ended: Ended): bigint | undefined {
  const usage = uncachedUsage(ended.usage);
  return usage && billedNanoUsd(prices, { ...ended, usage });
}
