import { upstreamCostOf, type UsageFact } from '@sluice/usage-facts';
import type { CreditEntry } from '../credit/credit-entry.ts';
import type { Correction } from '../usage/correction.ts';
import type { Expiry } from '../usage/expiry.ts';

/**
 * The place of money: with a customer, in suspense (neither the customer's nor spent), or where it came from and went
 * to. Claims: what providers ask for beyond a hold. Operator: who pays for what no customer pays.
 */
export type Book =
  | 'credits'
  | 'byok'
  | 'funding'
  | 'revenue'
  | 'byok_usage'
  | 'suspense'
  | 'claims'
  | 'operator'
  | 'operator_usage';

/** One movement of the double-entry books: it balances by its shape. A negative amount goes the other way round. */
export interface Transfer {
  readonly entryKind: 'usage' | 'credit' | 'correction' | 'expiry';
  /** The id of the fact, credit, correction or expiry. */
  readonly entryId: string;
  readonly line: number;
  readonly accountId: string;
  readonly from: Book;
  readonly to: Book;
  readonly amountNanoUsd: bigint;
}

/** The movements of an entry, each with the number it has in every entry. */
const line = { charge: 1, suspended: 2, claimed: 3, fee: 4, borne: 5, operatorSuspended: 6 };

/**
 * A fact charges the customer. What an estimate leaves open of its hold goes into suspense. With a
 * credential of one's own no credits move but the fee's. What the customer does not pay of an upstream's charge, the
 * operator pays. What costs nothing moves nothing.
 */
export function usageTransfers(fact: UsageFact): readonly Transfer[] {
  const entry = emptyEntry('usage', fact.usageId, fact);
  charge(entry, fact, fact.costNanoUsd);
  suspend(entry, fact, fact.suspendedNanoUsd, fact.claimedNanoUsd);
  move(entry, line.fee, 'credits', 'revenue', fact.feeNanoUsd);
  bear(entry, fact, operatorsOf(fact), fact.operatorSuspendedNanoUsd);
  return entry.transfers;
}

/** A correction charges or gives back the difference and empties the suspense of its estimate. */
export function correctionTransfers(correction: Correction): readonly Transfer[] {
  const { correctionId, fact } = correction;
  const entry = emptyEntry('correction', correctionId, fact);
  charge(entry, fact, correction.costNanoUsd - fact.costNanoUsd);
  suspend(entry, fact, -fact.suspendedNanoUsd, -fact.claimedNanoUsd);
  const borne = correction.absorbedNanoUsd - operatorsOf(fact);
  bear(entry, fact, borne, -fact.operatorSuspendedNanoUsd);
  return entry.transfers;
}

/** An expiry gives the customer back what is in suspense, and the operator has it in suspense instead. */
export function expiryTransfers(expiry: Expiry): readonly Transfer[] {
  const { expiryId, fact } = expiry;
  const entry = emptyEntry('expiry', expiryId, fact);
  suspend(entry, fact, -expiry.expiredNanoUsd, 0n);
  bear(entry, fact, 0n, expiry.movedNanoUsd);
  return entry.transfers;
}

/** Credits come out of funding; a refund goes back there. */
export function creditTransfers(credit: CreditEntry): readonly Transfer[] {
  const entry = emptyEntry('credit', credit.creditId, credit);
  move(entry, line.charge, 'funding', 'credits', credit.amountNanoUsd);
  return entry.transfers;
}

interface Entry {
  readonly entryKind: Transfer['entryKind'];
  readonly entryId: string;
  readonly accountId: string;
  readonly transfers: Transfer[];
}

function emptyEntry(
  entryKind: Entry['entryKind'],
  entryId: string,
  { accountId }: Pick<Transfer, 'accountId'>,
): Entry {
  return { entryKind, entryId, accountId, transfers: [] };
}

function charge(entry: Entry, { isByok }: UsageFact, amountNanoUsd: bigint): void {
  if (isByok) move(entry, line.charge, 'byok', 'byok_usage', amountNanoUsd);
  else move(entry, line.charge, 'credits', 'revenue', amountNanoUsd);
}

function suspend(
  entry: Entry,
  { isByok }: UsageFact,
  ofHoldNanoUsd: bigint,
  claimedNanoUsd: bigint,
): void {
  move(entry, line.suspended, isByok ? 'byok' : 'credits', 'suspense', ofHoldNanoUsd);
  move(entry, line.claimed, 'claims', 'suspense', claimedNanoUsd);
}

/** Returns the part of a fact that the customer does not pay. */
function operatorsOf(fact: UsageFact): bigint {
  return upstreamCostOf(fact) - fact.costNanoUsd;
}

/** The operator pays what the customer does not; with a credential of one's own there is nothing to pay. */
function bear(
  entry: Entry,
  { isByok }: UsageFact,
  amountNanoUsd: bigint,
  suspendedNanoUsd: bigint,
): void {
  if (isByok) return;
  move(entry, line.borne, 'operator', 'operator_usage', amountNanoUsd);
  move(entry, line.operatorSuspended, 'operator', 'suspense', suspendedNanoUsd);
}

/** Nothing for nothing. */
function move(entry: Entry, number: number, from: Book, to: Book, amountNanoUsd: bigint): void {
  if (amountNanoUsd === 0n) return;
  const { entryKind, entryId, accountId } = entry;
  entry.transfers.push({ entryKind, entryId, line: number, accountId, from, to, amountNanoUsd });
}
