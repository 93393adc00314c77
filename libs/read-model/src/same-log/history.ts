import type { Queryable } from '../statement.ts';
import { countHistories } from './known-log.ts';

/** More than any stream has events. */
const revisionsPerHistory = 2n ** 40n;

/** The number of the history that is in force, counted from 0. */
export interface History {
  readonly number: number;
  /**
   * The revision of a stream as it is published. It is larger than every revision that was published from a
   * history before: a consumer that keeps the largest one takes what the log says now.
   */
  published(revision: bigint): bigint;
}

export function historyOf(number: number): History {
  return {
    number,
    published: (revision) => BigInt(number) * revisionsPerHistory + revision,
  };
}

/** Returns the number of the history that a revision was published from. */
export function historyOfRevision(published: bigint): number {
  return published < 0n ? -1 : Number(published / revisionsPerHistory);
}

/** Reads it in the transaction of a reaction. */
export async function currentHistory(transaction: Queryable): Promise<History> {
  return historyOf(await countHistories(transaction));
}
