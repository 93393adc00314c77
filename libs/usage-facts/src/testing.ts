export {
  aByokFact,
  aDiscountedFact,
  aFact,
  aFailure,
  anEstimate,
  aRepeat,
  aRepeatedFact,
  aToolFact,
} from './testing/a-fact.ts';
