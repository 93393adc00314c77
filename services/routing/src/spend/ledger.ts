import type { LedgerServiceService } from '@sluice/protos/sluice/ledger/v1/ledger';
import type { Calls } from '@sluice/rpc';
import type { Authority } from '@sluice/spend';
import type { Replica } from '../usage/replica.ts';

/** What routing asks the ledger: over the network or in the same process. */
export type LedgerCalls = Pick<
  Calls<typeof LedgerServiceService>,
  'acquireLeases' | 'closeEpochs' | 'getWatermark'
>;

/** The ledger as the authority of one replica. */
export function ledgerAuthority(
  ledger: Pick<LedgerCalls, 'acquireLeases'>,
  { id, epoch }: Replica,
): Authority {
  return {
    acquire: (requests) =>
      ledger.acquireLeases({ replica: id, epoch, leases: requests.map((one) => ({ ...one })) }),
  };
}
