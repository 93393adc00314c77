import type { CreditEntry } from '../credit/credit-entry.ts';
import type { Correction } from '../usage/correction.ts';
import type { UsageFact } from '../usage/usage-fact.ts';

/**
 * Where money is: of a customer, on the way, in suspense (neither the customer's nor spent), or where it came
 * from and went to. Claims: what providers ask for beyond a hold.
 */
export type Book =
  | 'credits'
  | 'byok'
  | 'funding'
  | 'clearing'
  | 'revenue'
  | 'byok_usage'
  | 'suspense'
  | 'claims';

/** One line of an entry of the double-entry books. The lines of an entry sum to 0. */
export interface Posting {
  readonly entryKind: 'usage' | 'credit' | 'correction';
  /** The id of the fact, credit or correction. */
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
 * credential of one's own no credits move but the fee's. What costs nothing moves nothing.
 */
export function usagePostings(fact: UsageFact): readonly Posting[] {
  const { usageId: entryId, accountId, generationId, costNanoUsd } = fact;
  const head = { entryKind: 'usage', entryId, accountId, generationId } as const;
  return entry(head, [
    ...charge(fact, costNanoUsd),
    ...suspend(fact, fact.suspendedNanoUsd, fact.claimedNanoUsd),
    ...charge({ isByok: false }, fact.feeNanoUsd),
  ]);
}

/** A correction charges or gives back the difference and empties the suspense of its estimate. */
export function correctionPostings(correction: Correction): readonly Posting[] {
  const { correctionId: entryId, fact } = correction;
  const { accountId, generationId } = fact;
  const head = { entryKind: 'correction', entryId, accountId, generationId } as const;
  return entry(head, [
    ...charge(fact, correction.costNanoUsd - fact.costNanoUsd),
    ...suspend(fact, -fact.suspendedNanoUsd, -fact.claimedNanoUsd),
  ]);
}

/** Credits come out of funding; a refund goes back there. */
export function creditPostings(credit: CreditEntry): readonly Posting[] {
  const { creditId: entryId, accountId, amountNanoUsd: amount } = credit;
  return entry({ entryKind: 'credit', entryId, accountId, generationId: '' }, [
    ['funding', -amount],
    ['credits', amount],
  ]);
}

type Line = readonly [Book, bigint];

function charge({ isByok }: Pick<UsageFact, 'isByok'>, amountNanoUsd: bigint): readonly Line[] {
  return [
    [isByok ? 'byok' : 'credits', -amountNanoUsd],
    ['clearing', amountNanoUsd],
    ['clearing', -amountNanoUsd],
    [isByok ? 'byok_usage' : 'revenue', amountNanoUsd],
  ];
}

function suspend(
  { isByok }: UsageFact,
  ofHoldNanoUsd: bigint,
  claimedNanoUsd: bigint,
): readonly Line[] {
  return [
    [isByok ? 'byok' : 'credits', -ofHoldNanoUsd],
    ['suspense', ofHoldNanoUsd],
    ['claims', -claimedNanoUsd],
    ['suspense', claimedNanoUsd],
  ];
}

function entry(
  head: Omit<Posting, 'line' | 'book' | 'amountNanoUsd'>,
  lines: readonly Line[],
): readonly Posting[] {
  return lines.flatMap(([book, amountNanoUsd], index) =>
    amountNanoUsd === 0n ? [] : { ...head, line: index + 1, book, amountNanoUsd },
  );
}
