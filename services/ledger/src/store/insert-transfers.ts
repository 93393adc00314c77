import type { Queryable } from '@sluice/read-model';
import type { Transfer } from '../domain/transfer/transfers.ts';

const text = `
  INSERT INTO transfers (entry_kind, entry_id, line, account_id, from_book, to_book, amount_nano_usd)
  SELECT * FROM unnest(
    $1::text[], $2::text[], $3::smallint[], $4::text[], $5::text[], $6::text[], $7::bigint[]
  )`;

/**
 * Inserts the transfers of facts and credits of the same transaction. No other one writes these rows, and one that is
 * there already is a bug.
 */
export async function insertTransfers(
  transaction: Queryable,
  transfers: readonly Transfer[],
): Promise<void> {
  if (transfers.length === 0) return;
  await transaction.query({
    name: 'insert-transfers',
    text,
    values: [
      transfers.map(({ entryKind }) => entryKind),
      transfers.map(({ entryId }) => entryId),
      transfers.map(({ line }) => line),
      transfers.map(({ accountId }) => accountId),
      transfers.map(({ from }) => from),
      transfers.map(({ to }) => to),
      transfers.map(({ amountNanoUsd }) => amountNanoUsd),
    ],
  });
}
