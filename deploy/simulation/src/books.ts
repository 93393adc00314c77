import type { LedgerModel } from '@sluice/ledger/testing';
import { add, type Sums } from './sums.ts';

/** Returns the accounts that have not spent in the books what their rows cost. */
export function bookProblems({
  facts,
  transfers,
}: Pick<LedgerModel, 'facts' | 'transfers'>): readonly string[] {
  const [spent, costs]: [Sums, Sums] = [new Map(), new Map()];
  for (const { accountId, to, amountNanoUsd } of transfers)
    if (to === 'revenue' || to === 'byok_usage') add(spent, accountId, amountNanoUsd);
  for (const { accountId, costNanoUsd, feeNanoUsd } of facts)
    add(costs, accountId, costNanoUsd + feeNanoUsd);
  const problems: string[] = [];
  for (const accountId of new Set([...costs.keys(), ...spent.keys()])) {
    const [inBooks, cost] = [spent.get(accountId) ?? 0n, costs.get(accountId) ?? 0n];
    if (inBooks !== cost)
      problems.push(`${accountId} has spent ${inBooks} in the books where its rows cost ${cost}`);
  }
  return problems;
}
