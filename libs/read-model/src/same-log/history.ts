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

/** Reads it in the transaction of a reaction. */
export async function currentHistory(transaction: Queryable): Promise<History> {
  const number = await countHistories(transaction);
  return { number, published: (revision) => BigInt(number) * revisionsPerHistory + revision };
}
