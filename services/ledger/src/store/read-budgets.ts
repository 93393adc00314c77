import type { Queryable } from '@sluice/read-model';
import type { LeaseRequest } from '../domain/lease/lease-request.ts';
import type { ReplicaEpoch } from './record-replica.ts';

/** A budget and a lease of it, in one snapshot. Nano-USD. */
export interface BudgetRow {
  /** null: the ledger has no limit. */
  readonly limit: bigint | null;
  readonly include_byok: boolean | null;
  readonly credits: bigint;
  readonly byok: bigint;
  /** Out on leases of all replicas. */
  readonly leased: bigint;
  /** null: there is no such lease yet. */
  readonly granted: bigint | null;
  readonly returned: bigint | null;
  readonly counted: bigint | null;
  readonly held: bigint | null;
  readonly is_closed: boolean | null;
  /** The lease is of another budget. */
  readonly is_foreign: boolean | null;
  /** All that the account ever bought, which decides on its free requests; null: of another scope. */
  readonly purchased: bigint | null;
}

const sameBudget = (lease: string) => `
  (${lease}.account_id, ${lease}.scope_kind, ${lease}.scope_id, ${lease}.window_kind, ${lease}.window_start)
  = (asked.account_id, asked.scope_kind, asked.scope_id, asked.window_kind, asked.window_start)`;

const text = `
  SELECT limits.limit_nano_usd AS limit, limits.include_byok,
    coalesce(counters.credits_nano_usd, 0) + coalesce(suspended.credits_nano_usd, 0) AS credits,
    coalesce(counters.byok_nano_usd, 0) + coalesce(suspended.byok_nano_usd, 0) AS byok,
    out.leased, own.granted_nano_usd AS granted, own.returned_nano_usd AS returned,
    own.counted_nano_usd AS counted, own.held_nano_usd AS held, own.closed_at IS NOT NULL AS is_closed,
    NOT (${sameBudget('own')}) AS is_foreign,
    CASE asked.scope_kind WHEN 'free_requests' THEN (
      SELECT coalesce(sum(amount_nano_usd), 0)::bigint FROM credits
      WHERE credits.account_id = asked.account_id AND entry_kind = 'purchase'
    ) END AS purchased
  FROM unnest($3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[])
    WITH ORDINALITY
    AS asked (number, account_id, scope_kind, scope_id, window_kind, window_start, ordinal)
  LEFT JOIN limits ON (limits.account_id, limits.scope_kind, limits.scope_id, limits.window_kind)
    = (asked.account_id, asked.scope_kind, split_part(asked.scope_id, ':', 1), asked.window_kind)
  LEFT JOIN counters
    ON (counters.account_id, counters.scope_kind, counters.scope_id, counters.window_kind,
      counters.window_start)
    = (asked.account_id, asked.scope_kind, asked.scope_id, asked.window_kind, asked.window_start)
  LEFT JOIN suspended
    ON (suspended.account_id, suspended.scope_kind, suspended.scope_id, suspended.window_kind,
      suspended.window_start)
    = (asked.account_id, asked.scope_kind, asked.scope_id, asked.window_kind, asked.window_start)
  LEFT JOIN leases AS own ON (own.replica, own.epoch, own.number) = ($1, $2::bigint, asked.number)
  CROSS JOIN LATERAL (
    SELECT coalesce(
      sum(greatest(0, granted_nano_usd - returned_nano_usd - counted_nano_usd)), 0
    )::bigint AS leased
    FROM leases AS lease WHERE ${sameBudget('lease')}
  ) AS out
  ORDER BY asked.ordinal`;

/**
 * One row per request, in its order. A single statement: usage that is settled meanwhile is in both of
 * settled and leased as before, or in both as after.
 */
export async function readBudgets(
  transaction: Queryable,
  { replica, epoch }: ReplicaEpoch,
  requests: readonly LeaseRequest[],
): Promise<readonly BudgetRow[]> {
  return await transaction.query<BudgetRow>({
    name: 'read-budgets',
    text,
    values: [
      replica,
      epoch,
      requests.map(({ number }) => number),
      requests.map(({ budget }) => budget.accountId),
      requests.map(({ budget }) => budget.scopeKind),
      requests.map(({ budget }) => budget.scopeId),
      requests.map(({ budget }) => budget.windowKind),
      requests.map(({ budget }) => budget.windowStart),
    ],
  });
}
