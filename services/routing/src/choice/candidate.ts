import type { CatalogEndpoint, Model } from '../catalog/catalog.ts';

/** One that could answer. */
export interface Candidate {
  readonly model: Model;
  readonly endpoint: CatalogEndpoint;
}

const inputShare = 3;
const outputShare = 1;

/** What a token costs in atto-USD, three of the input to one of the output. */
export function blendedPrice({ endpoint: { prices } }: Candidate): number {
  return (
    (Number(prices.inputTokenAttoUsd) * inputShare + Number(prices.outputTokenAttoUsd)) /
    (inputShare + outputShare)
  );
}
