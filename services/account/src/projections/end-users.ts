import { type Queryable, streamProjection } from '@sluice/read-model';
import type { EndUserDeactivated, EndUserRegistered } from '../domain/end-user/events.ts';
import { endUserEvents } from '../store/end-user-events.ts';

/** Keeps the table `end_users`: one row per registered end user, active or not. */
export const endUsersProjection = streamProjection(
  endUserEvents,
  { projection: 'account.end_users', version: 1, tables: ['end_users'] },
  async (transaction, event) => {
    switch (event.type) {
      case 'EndUserRegistered':
        return insertEndUser(transaction, event.data);
      case 'EndUserDeactivated':
        return setActive(transaction, event.data, false);
      case 'EndUserReactivated':
        return setActive(transaction, event.data, true);
    }
  },
);

async function insertEndUser(
  transaction: Queryable,
  { accountId, user, registeredAt }: EndUserRegistered['data'],
): Promise<void> {
  await transaction.query({
    name: 'insert-end-user',
    text: `INSERT INTO end_users (account_id, end_user, is_active, created_at, updated_at)
           VALUES ($1, $2, true, $3, $3) ON CONFLICT (account_id, end_user) DO NOTHING`,
    values: [accountId, user, registeredAt],
  });
}

async function setActive(
  transaction: Queryable,
  { accountId, user, changedAt }: EndUserDeactivated['data'],
  isActive: boolean,
): Promise<void> {
  await transaction.query({
    name: 'set-end-user-active',
    text: `UPDATE end_users SET is_active = $3, updated_at = $4
           WHERE account_id = $1 AND end_user = $2`,
    values: [accountId, user, isActive, changedAt],
  });
}
