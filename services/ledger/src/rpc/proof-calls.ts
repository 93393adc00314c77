import { Fault } from '@sluice/errors';
import type { LedgerServiceService } from '@sluice/protos/sluice/ledger/v1/ledger';
import type { Database } from '@sluice/read-model';
import type { Calls } from '@sluice/rpc';
import { isInstant } from '@sluice/usage-facts';
import { readBudgetProof } from '../queries/read-budget-proof.ts';
import { readPastBudget } from '../queries/read-past-budget.ts';
import { refuseArchivedDay } from '../store/archived-days.ts';

/** Returns the rows that prove a limit was kept. */
export function proofCalls(
  database: Database,
): Pick<Calls<typeof LedgerServiceService>, 'getBudgetProof'> {
  return {
    async getBudgetProof({ accountId, scopeId, at }) {
      if (`${accountId}${scopeId}`.includes('\0')) throw new Fault('not_found');
      if (at === '') return await readBudgetProof(database, { accountId, scopeId });
      if (!isInstant(at)) throw new Fault('invalid_request', { message: 'at is no UTC instant' });
      const [now] = await database.query<{ is_future: boolean }>({
        name: 'is-future',
        text: 'SELECT $1::timestamptz > now() AS is_future',
        values: [at],
      });
      if (now?.is_future !== false)
        throw new Fault('invalid_request', { message: 'at is in the future' });
      // A window without end needs all facts.
      await refuseArchivedDay(database, '1970-01-01');
      return await readPastBudget(database, { accountId, scopeId, at });
    },
  };
}
