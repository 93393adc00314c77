import type { Queryable } from '@sluice/read-model';
import type { LeaseRequest } from '../domain/lease/lease-request.ts';
import type { ReplicaEpoch } from './record-replica.ts';

/** The new values of a lease. */
export interface LeaseChange {
  readonly request: LeaseRequest;
  readonly grantNanoUsd: bigint;
}

const write = `
  INSERT INTO leases AS lease (
    replica, epoch, number, account_id, scope_kind, scope_id, window_kind, window_start,
    granted_nano_usd, returned_nano_usd, held_nano_usd, closed_at
  )
  SELECT $1, $2, number, account_id, scope_kind, scope_id, window_kind, window_start,
    granted, returned, coalesce(held, 0), CASE WHEN is_closed THEN now() END
  FROM unnest($3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[],
    $9::bigint[], $10::bigint[], $11::bigint[], $12::boolean[])
    AS given (number, account_id, scope_kind, scope_id, window_kind, window_start,
      granted, returned, held, is_closed)
  ON CONFLICT (replica, epoch, number) DO UPDATE SET
    granted_nano_usd = lease.granted_nano_usd + excluded.granted_nano_usd,
    returned_nano_usd = greatest(
      lease.returned_nano_usd, excluded.returned_nano_usd,
      -- Closed: also what was granted and never heard of.
      CASE WHEN excluded.closed_at IS NOT NULL
        THEN lease.granted_nano_usd - lease.counted_nano_usd ELSE 0 END
    ),
    held_nano_usd = excluded.held_nano_usd,
    closed_at = coalesce(lease.closed_at, excluded.closed_at)`;

/** Adds grants and takes back what was returned, in the order of the numbers. */
export async function writeLeases(
  transaction: Queryable,
  { replica, epoch }: ReplicaEpoch,
  changes: readonly LeaseChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const ordered = changes.toSorted((a, b) => (a.request.number < b.request.number ? -1 : 1));
  await transaction.query({
    name: 'write-leases',
    text: write,
    values: [
      replica,
      epoch,
      ordered.map(({ request }) => request.number),
      ordered.map(({ request }) => request.budget.accountId),
      ordered.map(({ request }) => request.budget.scopeKind),
      ordered.map(({ request }) => request.budget.scopeId),
      ordered.map(({ request }) => request.budget.windowKind),
      ordered.map(({ request }) => request.budget.windowStart),
      ordered.map(({ grantNanoUsd }) => grantNanoUsd),
      ordered.map(({ request }) => request.returnedNanoUsd),
      ordered.map(({ request }) => request.heldNanoUsd ?? 0n),
      ordered.map(({ request }) => request.close),
    ],
  });
}

/** A request may still be under way for so long after its lease was closed. */
const closedKeptMinutes = 60;

/** Forgets leases that were closed long ago. */
export async function forgetClosedLeases(
  transaction: Queryable,
  { replica, epoch }: ReplicaEpoch,
): Promise<void> {
  await transaction.query({
    name: 'forget-closed-leases',
    text: `DELETE FROM leases WHERE replica = $1 AND epoch = $2
             AND closed_at < now() - make_interval(mins => $3)`,
    values: [replica, epoch, closedKeptMinutes],
  });
}

/** Ends the leases of all epochs before one; the answer is what they still had out. */
export async function endLeasesBefore(
  transaction: Queryable,
  { replica, epoch }: ReplicaEpoch,
): Promise<bigint> {
  const [row] = await transaction.query<{ freed: bigint }>({
    name: 'end-leases',
    text: `WITH ended AS (DELETE FROM leases WHERE replica = $1 AND epoch < $2 RETURNING *)
           SELECT coalesce(sum(
             greatest(0, granted_nano_usd - returned_nano_usd - counted_nano_usd)
           ), 0)::bigint AS freed FROM ended`,
    values: [replica, epoch],
  });
  return row?.freed ?? 0n;
}
