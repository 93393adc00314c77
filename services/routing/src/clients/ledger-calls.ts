import type { LedgerServiceService } from '@sluice/protos/sluice/ledger/v1/ledger';
import type { Calls } from '@sluice/rpc';

/** The calls of routing to the ledger: over the network or in the same process. */
export type LedgerCalls = Pick<
  Calls<typeof LedgerServiceService>,
  | 'acquireLeases'
  | 'closeEpochs'
  | 'getWatermark'
  | 'listEstimates'
  | 'correctUsage'
  | 'reportAdmissions'
  | 'reportFailures'
  | 'listModelShares'
>;
