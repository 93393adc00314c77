import type { Queryable } from '@sluice/read-model';
import type { Posting } from '../domain/posting/postings.ts';

const text = `
  INSERT INTO postings (
    entry_kind, entry_id, line, account_id, book, generation_id, amount_nano_usd
  )
  SELECT * FROM unnest(
    $1::text[], $2::text[], $3::smallint[], $4::text[], $5::text[], $6::text[], $7::bigint[]
  )`;

/**
 * Of facts and credits that the same transaction inserted: nobody else writes these rows, and one that is
 * there already is a bug.
 */
export async function insertPostings(
  transaction: Queryable,
  postings: readonly Posting[],
): Promise<void> {
  if (postings.length === 0) return;
  await transaction.query({
    name: 'insert-postings',
    text,
    values: [
      postings.map(({ entryKind }) => entryKind),
      postings.map(({ entryId }) => entryId),
      postings.map(({ line }) => line),
      postings.map(({ accountId }) => accountId),
      postings.map(({ book }) => book),
      postings.map(({ generationId }) => generationId),
      postings.map(({ amountNanoUsd }) => amountNanoUsd),
    ],
  });
}
