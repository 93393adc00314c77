export { Allowances, type FeeTerms } from './allowances.ts';
export { billedNanoUsd, type Ended, servedNanoUsd, uncachedNanoUsd } from './billed.ts';
export { feeNanoUsd } from './byok-fee.ts';
export { costAtPrices, keptReasons, type KeptReason, type RatedFact } from './rerate.ts';
export { tierPrices } from './tier-prices.ts';
export { pricesOfTool } from './tool-call-prices.ts';
