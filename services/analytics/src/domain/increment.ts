import type { UsageRow } from './usage-row.ts';

/** A row that is added to the sums (1), or taken out of them (-1). */
export interface Increment<Row = UsageRow> {
  readonly row: Row;
  readonly sign: 1n | -1n;
}

export const added = <Row>(row: Row): Increment<Row> => ({ row, sign: 1n });
export const removed = <Row>(row: Row): Increment<Row> => ({ row, sign: -1n });
