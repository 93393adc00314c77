export { createSpendGate, type SpendGate } from './gate.ts';
export type {
  Hold,
  Place,
  PendingFinal,
  SpendRefusal,
  Standing,
  WindowFigures,
} from './standing.ts';
export { windowOf, type Interval, type SpendWindow } from './window.ts';
export {
  aheadNanoUsd,
  grantNanoUsd,
  roomNanoUsd,
  type BudgetState,
  type GrantQuestion,
} from './grant.ts';
