import type { LedgerModel } from '@sluice/ledger/testing';
import { add, periodOf, type Sums } from './sums.ts';

const [day, all] = [
  ['daily', 'weekly', 'monthly'],
  ['lifetime', 'daily', 'weekly', 'monthly'],
];

/** Makes every counter again from the rows, and says which is another one. */
export function replay({
  facts,
  counters,
}: Pick<LedgerModel, 'facts' | 'counters'>): readonly string[] {
  const again: Sums = new Map();
  for (const row of facts) {
    const { accountId, admittedAt, isByok, costNanoUsd, feeNanoUsd } = row;
    const [paid, own] = isByok ? [feeNanoUsd, costNanoUsd] : [costNanoUsd, 0n];
    const count = (scope: string, kinds: readonly string[], credits = paid, byok = own) => {
      for (const kind of kinds) {
        const name = `${accountId} ${scope} ${kind} ${periodOf(kind, admittedAt)}`;
        add(again, name, credits);
        add(again, `${name} byok`, byok);
      }
    };
    count(`account ${accountId}`, ['lifetime']);
    count(`allowance ${accountId}`, ['monthly'], 0n, row.freeNanoUsd);
    count(`key ${row.keyHash}`, all);
    count(`workspace ${row.workspaceId}`, all);
    for (const scope of row.guardrailScopes) count(`guardrail ${scope}`, day);
  }
  for (const counter of counters.values()) {
    const { accountId, scopeKind, scopeId, windowKind, windowStart } = counter;
    const period = periodOf(windowKind, windowStart.toISOString());
    const name = `${accountId} ${scopeKind} ${scopeId} ${windowKind} ${period}`;
    add(again, name, -counter.creditsNanoUsd);
    add(again, `${name} byok`, -counter.byokNanoUsd);
  }
  return [...again]
    .filter(([, left]) => left !== 0n)
    .map(([name, left]) => `the counter ${name} is off by ${-left}`);
}
