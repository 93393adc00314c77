export {
  type CountedFact,
  type CountedFacts,
  type FactsLedger,
  readCounted,
  readCountedFacts,
  writeCounted,
} from './counted-facts.ts';
export { readFact, writeFact } from './fact-json.ts';
export { factProblem, looseFlag } from './fact-problem.ts';
export { type Bundle, bundleReader, type ReadBundle } from './read-bundle.ts';
export { bundledCount, type BundledFact, readBundled } from './read-bundled.ts';
export { readForTwo } from './read-for-two.ts';
export { areToldTogether, countOf, repeatFields, withRepeats } from './repeats.ts';
export { readCorrection, type UsageCorrection, writeCorrection } from './usage-correction.ts';
export type { UsageAttempt, UsageFact, UsageRepeat } from './usage-fact.ts';
export {
  columnOf,
  type SqlType,
  usageColumns,
  usageColumnsOf,
  usageFields,
  type UsagePart,
} from './usage-fields.ts';
export { parseUsageId, type UsageStep } from './usage-id.ts';
export {
  amountsOf,
  byokProblem,
  type ByokTerms,
  leaseNumbersOf,
  noByokTerms,
} from './byok-terms.ts';
export { cacheDiscountNanoUsd } from './cache-discount.ts';
export {
  type DataDiscount,
  discountNanoUsd,
  discountProblem,
  undiscountedNanoUsd,
} from './data-discount.ts';
export { estimateProblem, type EstimateTerms } from './estimate-terms.ts';
export {
  isInstant,
  isOperatorsOwn,
  type Place,
  placeOf,
  upstreamCostOf,
  usageProblem,
} from './usage-problem.ts';
