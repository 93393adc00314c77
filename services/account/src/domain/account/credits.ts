import { invalidRequest, type Issue } from '@sluice/errors';
import { amountNanoUsdMax, creditsNanoUsdMax } from '@sluice/amounts';
import type { AccountEvent } from './events.ts';
import { type AccountRejection, check, idPattern } from './rules.ts';
import type { Account } from './state.ts';

interface Entry {
  readonly accountId: string;
  readonly amountNanoUsd: bigint;
  readonly reason: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly occurredAt: string;
}

export interface GrantCredits extends Entry {
  readonly type: 'GrantCredits';
  readonly grantId: string;
}

export interface PurchaseCredits extends Entry {
  readonly type: 'PurchaseCredits';
  readonly purchaseId: string;
}

export interface RefundCredits extends Entry {
  readonly type: 'RefundCredits';
  readonly refundId: string;
  readonly purchaseId: string;
}

export type CreditsCommand = GrantCredits | PurchaseCredits | RefundCredits;

const reasonLengthMax = 500;
const noAccount = { rejected: 'not_found', message: 'There is no such account' } as const;

/** Once per grant id. */
export function grant(
  command: GrantCredits,
  state: Account,
): readonly AccountEvent[] | AccountRejection {
  const { accountId, grantId, amountNanoUsd, reason, occurredAt } = command;
  const issues = [...idIssues('grant_id', grantId), ...entryIssues(command)];
  if (issues.length > 0) return invalidRequest(issues);
  if (state.kind === 'none') return noAccount;
  const grantedNanoUsd = state.grantsNanoUsd.get(grantId);
  if (grantedNanoUsd === amountNanoUsd) return [];
  if (grantedNanoUsd !== undefined) return conflict('The grant was made with another amount');
  if (isAboveAll(state, amountNanoUsd)) return aboveAll;
  const amount = amountNanoUsd.toString();
  const data = { accountId, grantId, amountNanoUsd: amount, reason, grantedAt: occurredAt };
  return [{ type: 'CreditsGranted', data }];
}

/** Once per purchase id. */
export function purchase(
  command: PurchaseCredits,
  state: Account,
): readonly AccountEvent[] | AccountRejection {
  const { accountId, purchaseId, amountNanoUsd, reason, occurredAt } = command;
  const issues = [...idIssues('purchase_id', purchaseId), ...entryIssues(command)];
  if (issues.length > 0) return invalidRequest(issues);
  if (state.kind === 'none') return noAccount;
  const made = state.purchases.get(purchaseId);
  if (made?.amountNanoUsd === amountNanoUsd) return [];
  if (made) return conflict('The purchase was made with another amount');
  if (isAboveAll(state, amountNanoUsd)) return aboveAll;
  const amount = amountNanoUsd.toString();
  const data = { accountId, purchaseId, amountNanoUsd: amount, reason, purchasedAt: occurredAt };
  return [{ type: 'CreditsPurchased', data }];
}

/** Once per refund id; all refunds of a purchase together are at most its amount. */
export function refund(
  command: RefundCredits,
  state: Account,
): readonly AccountEvent[] | AccountRejection {
  const { accountId, refundId, purchaseId, amountNanoUsd, reason, occurredAt } = command;
  const issues = [
    ...idIssues('refund_id', refundId),
    ...idIssues('purchase_id', purchaseId),
    ...entryIssues(command),
  ];
  if (issues.length > 0) return invalidRequest(issues);
  if (state.kind === 'none') return noAccount;
  const made = state.refunds.get(refundId);
  if (made?.purchaseId === purchaseId && made.amountNanoUsd === amountNanoUsd) return [];
  if (made) return conflict('The refund was made with another amount or of another purchase');
  const bought = state.purchases.get(purchaseId);
  if (!bought) return { rejected: 'not_found', message: 'There is no such purchase' };
  const leftNanoUsd = bought.amountNanoUsd - bought.refundedNanoUsd;
  if (amountNanoUsd > leftNanoUsd)
    return conflict(`Of the purchase ${leftNanoUsd} nano-USD are not refunded yet`);
  const amount = amountNanoUsd.toString();
  const entry = { accountId, refundId, purchaseId, amountNanoUsd: amount, reason };
  return [{ type: 'CreditsRefunded', data: { ...entry, refundedAt: occurredAt } }];
}

function idIssues(path: string, id: string): readonly Issue[] {
  return check([[idPattern.test(id), path, 'must be an id']]);
}

function entryIssues({ amountNanoUsd, reason }: Entry): readonly Issue[] {
  const isAmount = amountNanoUsd > 0n && amountNanoUsd <= amountNanoUsdMax;
  return check([
    [isAmount, 'amount_nano_usd', `must be above 0 and at most ${amountNanoUsdMax}`],
    [reason.length <= reasonLengthMax, 'reason', `must have at most ${reasonLengthMax} characters`],
  ]);
}

const aboveAll = conflict(
  `All credits of an account together are at most ${creditsNanoUsdMax} nano-USD`,
);

/** Refunds do not count: the ledger also sums the purchases alone. */
function isAboveAll(
  { grantsNanoUsd, purchases }: Extract<Account, { readonly kind: 'open' }>,
  amountNanoUsd: bigint,
): boolean {
  let all = amountNanoUsd;
  for (const granted of grantsNanoUsd.values()) all += granted;
  for (const bought of purchases.values()) all += bought.amountNanoUsd;
  return all > creditsNanoUsdMax;
}

function conflict(message: string): AccountRejection {
  return { rejected: 'conflict', message };
}
