import type { RecordedEvent } from '@sluice/es';
import type { Queryable } from '@sluice/read-model';
import type { AccountOpened } from '../domain/account/events.ts';
import { accountEvents } from '../store/account-events.ts';

export const accountsProjection = { projection: 'account.accounts', version: 1 } as const;

/** Keeps the table `accounts`: one row per account. Credits are counted by the ledger alone. */
export async function applyToAccounts(
  transaction: Queryable,
  events: readonly RecordedEvent[],
): Promise<void> {
  for (const recorded of events) {
    const event = accountEvents.decode(recorded);
    switch (event.type) {
      case 'AccountOpened':
        await insertAccount(transaction, event.data);
        break;
      case 'CreditsGranted':
        break;
    }
  }
}

async function insertAccount(transaction: Queryable, data: AccountOpened['data']): Promise<void> {
  await transaction.query({
    name: 'insert-account',
    text: `INSERT INTO accounts
             (account_id, kind, name, owner_user_id, default_workspace_id, created_at)
           VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (account_id) DO NOTHING`,
    values: [
      data.accountId,
      data.kind,
      data.name,
      data.ownerUserId,
      data.defaultWorkspaceId,
      data.openedAt,
    ],
  });
}
