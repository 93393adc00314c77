import type { Queryable } from '@sluice/read-model';
import type { Omitted } from '../domain/part.ts';
import type { Lost } from './retain.ts';

/** Returns those whose failure is not known yet, once each: a message may come again. */
export async function newOmitted(
  connection: Queryable,
  received: readonly Omitted[],
): Promise<readonly Omitted[]> {
  if (received.length === 0) return [];
  const named = received.map((one) => {
    const { accountId, generationId, name } = one.part;
    return [`${accountId}/${generationId}/${name}`, one] as const;
  });
  const omitted = [...new Map(named).values()];
  const rows = await connection.query<{ place: bigint }>({
    text: `SELECT place FROM unnest($1::text[], $2::text[], $3::text[])
        WITH ORDINALITY AS given (account_id, generation_id, part, place)
      WHERE NOT EXISTS (SELECT FROM generations WHERE generations.account_id = given.account_id
          AND generations.generation_id = given.generation_id)
        AND NOT EXISTS (SELECT FROM pending_parts WHERE pending_parts.account_id = given.account_id
          AND pending_parts.generation_id = given.generation_id AND pending_parts.part = given.part)`,
    values: [
      omitted.map(({ part }) => part.accountId),
      omitted.map(({ part }) => part.generationId),
      omitted.map(({ part }) => part.name),
    ],
  });
  const places = new Set(rows.map(({ place }) => Number(place)));
  return omitted.filter((_, index) => places.has(index + 1));
}

/** Counts them as lost for each destination of their workspace. */
export async function noteOmitted(
  transaction: Queryable,
  omitted: readonly Omitted[],
  now: Date,
): Promise<readonly Lost[]> {
  if (omitted.length === 0) return [];
  return await transaction.query<Lost>({
    text: `WITH sums AS (
        SELECT account_id, workspace_id, sum(count)::bigint AS count
        FROM unnest($1::text[], $2::text[], $3::bigint[]) AS given (account_id, workspace_id, count)
        GROUP BY account_id, workspace_id)
      UPDATE deliveries SET lost = lost + sums.count, last_lost_at = $4::timestamptz
      FROM sums WHERE is_active AND deliveries.account_id = sums.account_id
        AND deliveries.workspace_id = sums.workspace_id
      RETURNING destination_id AS "destinationId", sums.count AS count`,
    values: [
      omitted.map(({ part }) => part.accountId),
      omitted.map(({ part }) => part.workspaceId),
      omitted.map(({ count }) => count),
      now,
    ],
  });
}
