import type { Queryable } from '@sluice/read-model';
import type { Posting } from '../domain/posting/postings.ts';

const text = `
  INSERT INTO postings (
    entry_kind, entry_id, line, account_id, book, generation_id, amount_nano_usd
  )
  SELECT entry_kind, entry_id, line, account_id, book, generation_id, amount_nano_usd
  FROM unnest($1::bigint[], $2::smallint[], $3::text[], $4::bigint[])
    AS lines (entry_number, line, book, amount_nano_usd)
  JOIN unnest($5::text[], $6::text[], $7::text[], $8::text[]) WITH ORDINALITY
    AS entries (entry_kind, entry_id, account_id, generation_id, entry_number) USING (entry_number)`;

/**
 * Inserts the postings of facts and credits of the same transaction. No other one writes these rows, and one that is
 * there already is a bug. The lines of an entry come one after the other: what they share is sent once.
 */
export async function insertPostings(
  transaction: Queryable,
  postings: readonly Posting[],
): Promise<void> {
  if (postings.length === 0) return;
  const entries: Posting[] = [];
  const entryNumbers = postings.map((posting) => {
    const { entryKind, entryId } = posting;
    const last = entries.at(-1);
    if (last?.entryId !== entryId || last.entryKind !== entryKind) entries.push(posting);
    return entries.length;
  });
  await transaction.query({
    name: 'insert-postings',
    text,
    values: [
      entryNumbers,
      postings.map(({ line }) => line),
      postings.map(({ book }) => book),
      postings.map(({ amountNanoUsd }) => amountNanoUsd),
      entries.map(({ entryKind }) => entryKind),
      entries.map(({ entryId }) => entryId),
      entries.map(({ accountId }) => accountId),
      entries.map(({ generationId }) => generationId),
    ],
  });
}
