import { StatementFailed } from '@sluice/read-model';
import {
  type AnalyticsStore,
  type Applied,
  type BatchSource,
  RefusedValue,
  type RowChange,
} from '../store/analytics-store.ts';

/** The result of applying some changes. */
export interface Outcome extends Applied {
  /** Facts that the database refuses. */
  readonly refused: number;
}

/**
 * Applies changes of the bus. When the database refuses a value, the halves are applied apart, down to the one fact,
 * which is left out: the others must not wait for it for ever.
 */
export async function applyRows(
  store: AnalyticsStore,
  changes: readonly RowChange[],
  source: BatchSource,
): Promise<Outcome> {
  try {
    return { ...(await store.apply(changes, source)), refused: 0 };
  } catch (error) {
    if (!isRefusedValue(error)) throw error;
    if (changes.length === 1) return await withoutTheOne(store, source);
    const half = Math.ceil(changes.length / 2);
    const isLedger = source.kind === 'ledger';
    // Only the second half moves the cursor of the ledger.
    const first: BatchSource = isLedger ? { ...source, next: source.after } : source;
    const one = await applyRows(store, changes.slice(0, half), first);
    return sum(one, await applyRows(store, changes.slice(half), source));
  }
}

async function withoutTheOne(store: AnalyticsStore, source: BatchSource): Promise<Outcome> {
  return { ...(await store.apply([], source)), refused: 1 };
}

function isRefusedValue(error: unknown): boolean {
  if (error instanceof RefusedValue) return true;
  return error instanceof StatementFailed && /^2[23]/.test(error.sqlState);
}

function sum(a: Outcome, b: Outcome): Outcome {
  return {
    counted: a.counted + b.counted,
    repeated: a.repeated + b.repeated,
    late: a.late + b.late,
    refused: a.refused + b.refused,
  };
}
