import type { Queryable } from '@sluice/read-model';

/** The end of a customer's suspense, and the fact of its estimate in JSON. */
export interface StoredExpiry {
  readonly correctionId: string;
  readonly usageId: string;
  readonly accountId: string;
  readonly expiredNanoUsd: bigint;
  readonly expiredAt: Date;
  readonly fact: string;
}

const select = `
  SELECT usage_id || '/expiry' AS "correctionId", usage_id AS "usageId", account_id AS "accountId",
    expired_nano_usd AS "expiredNanoUsd", expired_at AS "expiredAt", fact
  FROM estimates
  WHERE expired_at IS NOT NULL`;

const unpublished = `${select} AND expiry_published_at IS NULL
  ORDER BY expired_at, usage_id
  LIMIT $1`;

const ofIds = `${select} AND usage_id = ANY($1)`;

/** Reads the oldest expiries that were not published yet. */
export function readUnpublishedExpiries(
  readModel: Queryable,
  limit: number,
): Promise<readonly StoredExpiry[]> {
  const name = 'read-unpublished-expiries';
  return readModel.query({ name, text: unpublished, values: [limit] });
}

/** Reads the expiries of usage ids, in no order. */
export function readExpiries(
  readModel: Queryable,
  usageIds: readonly string[],
): Promise<readonly StoredExpiry[]> {
  return readModel.query({ name: 'read-expiries', text: ofIds, values: [[...usageIds]] });
}
