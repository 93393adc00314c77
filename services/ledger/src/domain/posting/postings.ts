import type { CreditEntry } from '../credit/credit-entry.ts';
import type { UsageFact } from '../usage/usage-fact.ts';

/** Where money is: of a customer, on the way, or where it came from and went to. */
export type Book = 'credits' | 'byok' | 'funding' | 'clearing' | 'revenue' | 'byok_usage';

/** One line of an entry of the double-entry books. The lines of an entry sum to 0. */
export interface Posting {
  readonly entryKind: 'usage' | 'credit';
  /** The id of the fact or credit. */
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
 * one is 0 afterwards. With a key of one's own no credits move. What costs nothing moves nothing.
 */
export function usagePostings(fact: UsageFact): readonly Posting[] {
  const { usageId: entryId, accountId, generationId, costNanoUsd: cost, isByok } = fact;
  return entry({ entryKind: 'usage', entryId, accountId, generationId }, [
    [isByok ? 'byok' : 'credits', -cost],
    ['clearing', cost],
    ['clearing', -cost],
    [isByok ? 'byok_usage' : 'revenue', cost],
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

function entry(
  head: Omit<Posting, 'line' | 'book' | 'amountNanoUsd'>,
  lines: readonly (readonly [Book, bigint])[],
): readonly Posting[] {
  return lines
    .map(([book, amountNanoUsd], index) => ({ ...head, line: index + 1, book, amountNanoUsd }))
    .filter(({ amountNanoUsd }) => amountNanoUsd !== 0n);
}
