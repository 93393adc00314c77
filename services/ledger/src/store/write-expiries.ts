import type { Queryable } from '@sluice/read-model';
import type { Expiry } from '../domain/usage/expiry.ts';
import { givenRows } from './given-rows.ts';

const given = givenRows({ usageId: 'text', expiredNanoUsd: 'bigint', movedNanoUsd: 'bigint' });

const text = `
  UPDATE estimates SET
    suspended_nano_usd = 0,
    operator_suspended_nano_usd = operator_suspended_nano_usd + given.moved_nano_usd,
    expired_nano_usd = given.expired_nano_usd,
    expired_at = now()
  FROM ${given.from}
  WHERE estimates.usage_id = given.usage_id`;

/** Writes expiries of estimates that the same transaction has locked. */
export async function writeExpiries(
  transaction: Queryable,
  expiries: readonly Expiry[],
): Promise<void> {
  const rows = expiries.map(({ fact, ...expiry }) => ({ ...expiry, usageId: fact.usageId }));
  await transaction.query({ name: 'write-expiries', text, values: given.valuesOf(rows) });
}
