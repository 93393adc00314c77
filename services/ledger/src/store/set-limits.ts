import type { Queryable } from '@sluice/read-model';
import { type KeyLimit, windowKindOf } from '../domain/limit/key-limit.ts';

const revisions = `
  INSERT INTO limit_revisions AS known (account_id, scope_kind, scope_id, revision)
  SELECT account_id, 'key', key_hash, revision
  FROM unnest($1::text[], $2::text[], $3::bigint[]) AS given (account_id, key_hash, revision)
  ON CONFLICT (account_id, scope_kind, scope_id) DO UPDATE SET revision = excluded.revision
    WHERE known.revision < excluded.revision
  RETURNING account_id, scope_id`;

const clear = `
  DELETE FROM limits USING unnest($1::text[], $2::text[]) AS given (account_id, key_hash)
  WHERE limits.account_id = given.account_id AND scope_kind = 'key' AND scope_id = key_hash`;

const insert = `
  INSERT INTO limits (account_id, scope_kind, scope_id, window_kind, limit_nano_usd, include_byok)
  SELECT account_id, 'key', key_hash, window_kind, limit_nano_usd, include_byok
  FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::boolean[])
    AS given (account_id, key_hash, window_kind, limit_nano_usd, include_byok)`;

/**
 * Puts limits in the place of older ones, in the order given: that of `newestLimits`. The answer are
 * those that were newer than what was known.
 */
export async function setLimits(
  transaction: Queryable,
  limits: readonly KeyLimit[],
): Promise<readonly KeyLimit[]> {
  if (limits.length === 0) return [];
  const rows = await transaction.query<{ account_id: string; scope_id: string }>({
    name: 'set-limit-revisions',
    text: revisions,
    values: [
      limits.map(({ accountId }) => accountId),
      limits.map(({ keyHash }) => keyHash),
      limits.map(({ revision }) => revision),
    ],
  });
  const taken = new Set(rows.map((row) => `${row.account_id}\0${row.scope_id}`));
  const set = limits.filter(({ accountId, keyHash }) => taken.has(`${accountId}\0${keyHash}`));
  if (set.length === 0) return [];
  await transaction.query({
    name: 'clear-limits',
    text: clear,
    values: [set.map(({ accountId }) => accountId), set.map(({ keyHash }) => keyHash)],
  });
  const capped = set.filter(({ limitNanoUsd }) => limitNanoUsd !== undefined);
  await transaction.query({
    name: 'insert-limits',
    text: insert,
    values: [
      capped.map(({ accountId }) => accountId),
      capped.map(({ keyHash }) => keyHash),
      capped.map(windowKindOf),
      capped.map(({ limitNanoUsd = 0n }) => limitNanoUsd),
      capped.map(({ includeByokInLimit }) => includeByokInLimit),
    ],
  });
  return set;
}
