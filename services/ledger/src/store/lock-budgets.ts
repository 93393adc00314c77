import type { Queryable } from '@sluice/read-model';
import { type Budget, budgetText } from '../domain/lease/lease-request.ts';

const text = `
  SELECT pg_advisory_xact_lock(hashtextextended(budget, 0))
  FROM unnest($1::text[]) AS budget`;

/** Locks budgets until the transaction ends, in one order for all: no other transaction grants from them. */
export async function lockBudgets(
  transaction: Queryable,
  budgets: readonly Budget[],
): Promise<void> {
  if (budgets.length === 0) return;
  const texts = budgets.map(budgetText).toSorted();
  await transaction.query({ name: 'lock-budgets', text, values: [texts] });
}
