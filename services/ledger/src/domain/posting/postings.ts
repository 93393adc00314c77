import { upstreamCostOf, type UsageFact } from '@sluice/usage-facts';
import type { CreditEntry } from '../credit/credit-entry.ts';
import type { Correction } from '../usage/correction.ts';
import type { Expiry } from '../usage/expiry.ts';

/**
 * The place of money: with a customer, on the way, in suspense (neither the customer's nor spent), or where it came
 * from and went to. Claims: what providers ask for beyond a hold. Operator: who pays for what no customer pays.
 */
export type Book =
  | 'credits'
  | 'byok'
  | 'funding'
  | 'clearing'
  | 'revenue'
  | 'byok_usage'
  | 'suspense'
  | 'claims'
  | 'operator'
  | 'operator_usage';

/** One line of an entry of the double-entry books. The lines of an entry sum to 0. */
export interface Posting {
  readonly entryKind: 'usage' | 'credit' | 'correction' | 'expiry';
  /** The id of the fact, credit, correction or expiry. */
  readonly entryId: string;
  readonly line: number;
  readonly accountId: string;
  readonly book: Book;
  /** Whose clearing account it is; empty for credits. */
  readonly generationId: string;
  readonly amountNanoUsd: bigint;
}

/**
 * A fact charges the customer into the clearing account of its generation and settles it from there: that
 * one is 0 afterwards. What an estimate leaves open of its hold goes into suspense. With a
 * credential of one's own no credits move but the fee's. What the customer does not pay of an upstream's charge, the
 * operator pays. What costs nothing moves nothing.
 */
export function usagePostings(fact: UsageFact): readonly Posting[] {
  const entry = emptyEntry('usage', fact.usageId, fact);
  charge(entry, 1, fact.isByok, fact.costNanoUsd);
  suspend(entry, 5, fact, fact.suspendedNanoUsd, fact.claimedNanoUsd);
  charge(entry, 9, false, fact.feeNanoUsd);
  bear(entry, 13, fact, operatorsOf(fact), fact.operatorSuspendedNanoUsd);
  return entry.postings;
}

/** A correction charges or gives back the difference and empties the suspense of its estimate. */
export function correctionPostings(correction: Correction): readonly Posting[] {
  const { correctionId, fact } = correction;
  const entry = emptyEntry('correction', correctionId, fact);
  charge(entry, 1, fact.isByok, correction.costNanoUsd - fact.costNanoUsd);
  suspend(entry, 5, fact, -fact.suspendedNanoUsd, -fact.claimedNanoUsd);
  const borne = correction.absorbedNanoUsd - operatorsOf(fact);
  bear(entry, 13, fact, borne, -fact.operatorSuspendedNanoUsd);
  return entry.postings;
}

/** An expiry gives the customer back what is in suspense, and the operator has it in suspense instead. */
export function expiryPostings(expiry: Expiry): readonly Posting[] {
  const { expiryId, fact } = expiry;
  const entry = emptyEntry('expiry', expiryId, fact);
  suspend(entry, 5, fact, -expiry.expiredNanoUsd, 0n);
  bear(entry, 13, fact, 0n, expiry.movedNanoUsd);
  return entry.postings;
}

/** Credits come out of funding; a refund goes back there. */
export function creditPostings(credit: CreditEntry): readonly Posting[] {
  const { creditId, accountId, amountNanoUsd } = credit;
  const entry = emptyEntry('credit', creditId, { accountId, generationId: '' });
  move(entry, 1, 'funding', 'credits', amountNanoUsd);
  return entry.postings;
}

interface Entry {
  readonly entryKind: Posting['entryKind'];
  readonly entryId: string;
  readonly of: Pick<Posting, 'accountId' | 'generationId'>;
  readonly postings: Posting[];
}

function emptyEntry(entryKind: Entry['entryKind'], entryId: string, of: Entry['of']): Entry {
  return { entryKind, entryId, of, postings: [] };
}

function charge(entry: Entry, line: number, isByok: boolean, amountNanoUsd: bigint): void {
  move(entry, line, isByok ? 'byok' : 'credits', 'clearing', amountNanoUsd);
  move(entry, line + 2, 'clearing', isByok ? 'byok_usage' : 'revenue', amountNanoUsd);
}

function suspend(
  entry: Entry,
  line: number,
  { isByok }: UsageFact,
  ofHoldNanoUsd: bigint,
  claimedNanoUsd: bigint,
): void {
  move(entry, line, isByok ? 'byok' : 'credits', 'suspense', ofHoldNanoUsd);
  move(entry, line + 2, 'claims', 'suspense', claimedNanoUsd);
}

/** Returns the part of a fact that the customer does not pay. */
function operatorsOf(fact: UsageFact): bigint {
  return upstreamCostOf(fact) - fact.costNanoUsd;
}

/** The operator pays what the customer does not; with a credential of one's own there is nothing to pay. */
function bear(
  entry: Entry,
  line: number,
  { isByok }: UsageFact,
  amountNanoUsd: bigint,
  suspendedNanoUsd: bigint,
): void {
  if (isByok) return;
  move(entry, line, 'operator', 'clearing', amountNanoUsd);
  move(entry, line + 2, 'clearing', 'operator_usage', amountNanoUsd);
  move(entry, line + 4, 'operator', 'suspense', suspendedNanoUsd);
}

/** Two lines, from `line` on; none for nothing. */
function move(entry: Entry, line: number, from: Book, to: Book, amountNanoUsd: bigint): void {
  if (amountNanoUsd === 0n) return;
  entry.postings.push(
    posting(entry, line, from, -amountNanoUsd),
    posting(entry, line + 1, to, amountNanoUsd),
  );
}

function posting(entry: Entry, line: number, book: Book, amountNanoUsd: bigint): Posting {
  const { entryKind, entryId, of } = entry;
  const { accountId, generationId } = of;
  return { entryKind, entryId, line, accountId, book, generationId, amountNanoUsd };
}
