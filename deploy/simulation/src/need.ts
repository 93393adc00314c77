import { prices } from './catalogue.ts';
import type { Asked } from './clients.ts';

/** What a request holds beyond its bytes, and what it must at least, and can at most, be able to answer. */
const [inputMargin, outputLeast, outputMost] = [64, 16, 1_000];

/** Who cannot pay that is refused. */
export const leastNeedOf = (asked: Asked) => needOf(asked, asked.outputTokensMax ?? outputLeast);

/** What a request is for which much is there. */
export const mostNeedOf = (asked: Asked) => needOf(asked, asked.outputTokensMax ?? outputMost);

function needOf({ bodyBytes }: Asked, outputTokens: number): bigint {
  const input = BigInt(bodyBytes + inputMargin) * prices.inputNanoUsd;
  return input + BigInt(outputTokens) * prices.outputNanoUsd;
}
