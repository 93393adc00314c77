import type { Queryable } from '@sluice/read-model';
import type { LeasePayment } from '../domain/lease/lease-payments.ts';

const text = `
  WITH given AS (
    SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[])
      AS payment (replica, epoch, number, amount)
  ), locked AS (
    SELECT lease.replica, lease.epoch, lease.number, given.amount
    FROM leases AS lease JOIN given USING (replica, epoch, number)
    ORDER BY lease.replica, lease.epoch, lease.number
    FOR UPDATE OF lease
  )
  UPDATE leases SET counted_nano_usd = counted_nano_usd + locked.amount
  FROM locked
  WHERE (leases.replica, leases.epoch, leases.number)
    = (locked.replica, locked.epoch, locked.number)`;

/** Settles payments against their leases. A closed lease has nothing out any more and is passed over. */
export async function countAgainstLeases(
  transaction: Queryable,
  payments: readonly LeasePayment[],
): Promise<void> {
  if (payments.length === 0) return;
  await transaction.query({
    name: 'count-against-leases',
    text,
    values: [
      payments.map(({ replica }) => replica),
      payments.map(({ epoch }) => epoch),
      payments.map(({ number }) => number),
      payments.map(({ amountNanoUsd }) => amountNanoUsd),
    ],
  });
}
