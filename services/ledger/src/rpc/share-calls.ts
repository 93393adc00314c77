import type { LedgerServiceService } from '@sluice/protos/sluice/ledger/v1/ledger';
import type { Database } from '@sluice/read-model';
import type { Calls } from '@sluice/rpc';
import { readModelShares } from '../queries/read-model-shares.ts';

/** Ranks models by their use. */
export function shareCalls(
  database: Database,
): Pick<Calls<typeof LedgerServiceService>, 'listModelShares'> {
  return {
    async listModelShares() {
      const { shares, onlyAccountId } = await readModelShares(database);
      return { shares: [...shares], onlyAccountId };
    },
  };
}
