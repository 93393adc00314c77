import type { Queryable } from '@sluice/read-model';
import type { UsageFact } from '@sluice/usage-facts';

/** Nothing is leased of a minute that is over for so long, whatever the clocks of the replicas say. */
const keptMinutes = 60;

/** Rows that another transaction deletes are passed over, so that two never wait for each other in a circle. */
const text = `
  DELETE FROM counters WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM counters
    WHERE account_id = ANY($1) AND scope_kind = 'free_requests' AND scope_id = account_id
      AND window_kind = 'minute' AND window_start < now() - make_interval(mins => $2)
    FOR UPDATE SKIP LOCKED
  ))`;

/** Deletes the counters of minutes that are long over, of accounts that just used free models. */
export async function forgetMinutes(
  transaction: Queryable,
  facts: readonly UsageFact[],
): Promise<void> {
  const users = facts.filter(({ freeRequestLeaseNumbers }) => freeRequestLeaseNumbers.length > 0);
  if (users.length === 0) return;
  const accountIds = [...new Set(users.map(({ accountId }) => accountId))];
  await transaction.query({ name: 'forget-minutes', text, values: [accountIds, keptMinutes] });
}
