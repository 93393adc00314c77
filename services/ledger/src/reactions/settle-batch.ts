import { type Database, type Queryable, StatementFailed } from '@sluice/read-model';
import type { Decoded } from '../messages/decode.ts';

/** The result of settling a batch. */
export interface Outcome {
  readonly counted: number;
  readonly duplicates: number;
  readonly deadLetters: number;
  /** The accounts whose figures changed. */
  readonly accountIds: ReadonlySet<string>;
}

export type Settle<Fact> = (
  transaction: Queryable,
  decoded: readonly Decoded<Fact>[],
) => Promise<Outcome>;

/**
 * Settles a batch in one transaction. When PostgreSQL refuses a value in it, the halves are settled
 * apart, down to the one fact, which becomes a dead letter. Throws when nothing can be settled now.
 */
export async function settleBatch<Fact>(
  database: Database,
  decoded: readonly Decoded<Fact>[],
  settle: Settle<Fact>,
): Promise<Outcome> {
  try {
    return await database.transaction((transaction) => settle(transaction, decoded));
  } catch (error) {
    const refused = refusedValue(error);
    const [only] = decoded;
    if (refused === undefined || !only) throw error;
    if (decoded.length > 1) {
      const half = Math.ceil(decoded.length / 2);
      const first = await settleBatch(database, decoded.slice(0, half), settle);
      const second = await settleBatch(database, decoded.slice(half), settle);
      return sum(first, second);
    }
    if (!('fact' in only)) throw error;
    const { message, place } = only;
    const dead: Decoded<Fact> = { message, problem: refused, ...(place ? { place } : {}) };
    return await database.transaction((transaction) => settle(transaction, [dead]));
  }
}

/** Data exceptions (22) and violated constraints (23) are about the values; all else is about us. */
function refusedValue(error: unknown): string | undefined {
  if (!(error instanceof StatementFailed) || !/^2[23]/.test(error.sqlState)) return undefined;
  return `the database refuses it (${error.sqlState})`;
}

function sum(a: Outcome, b: Outcome): Outcome {
  return {
    counted: a.counted + b.counted,
    duplicates: a.duplicates + b.duplicates,
    deadLetters: a.deadLetters + b.deadLetters,
    accountIds: new Set([...a.accountIds, ...b.accountIds]),
  };
}
