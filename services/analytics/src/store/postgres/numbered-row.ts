import type { UsageRow } from '../../domain/usage-row.ts';
import type { Ref } from '../tables.ts';

/** A fact as its row has it: with numbers for its account and for the texts of its dimensions. */
export interface NumberedRow extends Omit<UsageRow, 'accountId' | 'dimensions'> {
  readonly account: number;
  readonly refs: Readonly<Record<Ref, number>>;
  readonly generationId: string;
}
