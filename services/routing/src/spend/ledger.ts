import type { Calls } from '@sluice/rpc';
import type { LedgerServiceService } from '@sluice/protos/sluice/ledger/v1/ledger';

/** What routing asks the ledger: over the network or in the same process. */
export type LedgerCalls = Pick<Calls<typeof LedgerServiceService>, 'getStanding' | 'getWatermark'>;
