export { amountAt, type Amounts } from './amounts.ts';
export type { Authority, LeaseAnswer, LeaseRequest } from './authority.ts';
export {
  guardrailScopeId,
  type AssigneeKind,
  type Budget,
  type GuardrailScope,
  type ScopeKind,
} from './budget.ts';
export {
  aheadNanoUsd,
  grantNanoUsd,
  roomNanoUsd,
  type BudgetState,
  type GrantQuestion,
} from './grant.ts';
export { Shortage, type Hold } from './hold.ts';
export { refusalOf, type SpendRefusal } from './refusal.ts';
export { createSpending, type Spending, type SpendingOptions } from './spending.ts';
export { windowOf, type Interval, type SpendWindow } from './window.ts';
