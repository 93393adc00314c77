import type { UsageRow } from './usage-row.ts';

/** A row that is added to the sums (1), or taken out of them (-1). */
export interface Increment {
  readonly row: UsageRow;
  readonly sign: 1n | -1n;
}

export const added = (row: UsageRow): Increment => ({ row, sign: 1n });
export const removed = (row: UsageRow): Increment => ({ row, sign: -1n });
