export {
  aByokFact,
  aDiscountedFact,
  aFact,
  aFailure,
  anEstimate,
  aToolFact,
} from './testing/a-fact.ts';
