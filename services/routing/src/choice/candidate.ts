import type { PlainPrices } from '@sluice/inference';
import type { CatalogEndpoint, Model } from '../catalog/catalog.ts';

/** One that could answer. */
export interface Candidate {
  readonly model: Model;
  readonly endpoint: CatalogEndpoint;
  /** Of a prompt as long as we count it; absent: one of any length costs the same. */
  readonly expectedPrices?: PlainPrices;
}

const inputShare = 3;
const outputShare = 1;

/** What a token costs in atto-USD, three of the input to one of the output. */
export function blendedPrice({ endpoint, expectedPrices }: Candidate): number {
  const prices = expectedPrices ?? endpoint.prices;
  return (
    (Number(prices.inputTokenAttoUsd) * inputShare + Number(prices.outputTokenAttoUsd)) /
    (inputShare + outputShare)
  );
}
