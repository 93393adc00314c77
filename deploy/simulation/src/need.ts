import { prices } from './catalog.ts';
import type { Asked } from './clients.ts';

/** The margin of a hold beyond its bytes, and the least and most output of a request. */
const [inputMargin, outputLeast, outputMost] = [64, 16, 1_000];

/** Returns the least amount that a request needs. An account without it is refused. */
export const leastNeedOf = (asked: Asked) => needOf(asked, asked.outputTokensMax ?? outputLeast);

/** Returns the hold of a request if much is left. */
export const mostNeedOf = (asked: Asked) => needOf(asked, asked.outputTokensMax ?? outputMost);

function needOf({ bodyBytes }: Asked, outputTokens: number): bigint {
  const input = BigInt(bodyBytes + inputMargin) * prices.inputNanoUsd;
  return input + BigInt(outputTokens) * prices.outputNanoUsd;
}
