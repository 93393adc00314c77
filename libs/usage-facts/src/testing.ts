export { aByokFact, aFact, aFailure, anEstimate, aToolFact } from './testing/a-fact.ts';
