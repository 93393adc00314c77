export {
  InMemoryAuthority,
  type AskedBudget,
  type AuthorityFigures,
  type PaidFact,
} from './testing/in-memory-authority.ts';
