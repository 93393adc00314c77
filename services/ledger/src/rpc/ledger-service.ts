import { LedgerServiceService } from '@sluice/protos/sluice/ledger/v1/ledger';
import type { Database } from '@sluice/read-model';
import { implement, type RpcService } from '@sluice/rpc';
import { readWatermark } from '../queries/read-watermark.ts';
import { balanceCalls } from './balance-calls.ts';
import { conservationCalls } from './conservation-calls.ts';
import { correctionCalls } from './correction-calls.ts';
import { factCalls } from './fact-calls.ts';
import { leaseCalls } from './lease-calls.ts';
import { proofCalls } from './proof-calls.ts';
import { shareCalls } from './share-calls.ts';
import { usageCalls } from './usage-calls.ts';

export function ledgerRpc(database: Database): RpcService {
  return implement(LedgerServiceService, {
    ...balanceCalls(database),
    ...leaseCalls(database),
    ...proofCalls(database),
    ...usageCalls(database),
    ...correctionCalls(database),
    ...conservationCalls(database),
    ...factCalls(database),
    ...shareCalls(database),
    getWatermark: async (writer) => ({ sequence: await readWatermark(database, writer) }),
  });
}
