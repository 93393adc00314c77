import { Fault } from '@sluice/errors';
import { LedgerServiceService } from '@sluice/protos/sluice/ledger/v1/ledger';
import type { Database } from '@sluice/read-model';
import { implement, type RpcService } from '@sluice/rpc';
import { isInstant } from '@sluice/usage-facts';
import { freeRequestLimit } from '../domain/limit/free-requests.ts';
import { windowAt } from '../domain/window/window.ts';
import { readCredits } from '../queries/read-credits.ts';
import { readKeyUsage } from '../queries/read-key-usage.ts';
import { readWatermark } from '../queries/read-watermark.ts';
import type { WindowStarts } from '../queries/window-starts.ts';
import { conservationCalls } from './conservation-calls.ts';
import { correctionCalls } from './correction-calls.ts';
import { factCalls } from './fact-calls.ts';
import { leaseCalls } from './lease-calls.ts';
import { proofCalls } from './proof-calls.ts';
import { shareCalls } from './share-calls.ts';
import { usageCalls } from './usage-calls.ts';

const keyHashesMax = 100;

export function ledgerRpc(database: Database): RpcService {
  return implement(LedgerServiceService, {
    async getCredits({ accountId }) {
      const { freeRequestsToday: used, ...credits } = await readCredits(database, accountId);
      const limit = freeRequestLimit('daily', credits.purchasedNanoUsd);
      return { ...credits, freeRequestsToday: { limit, used } };
    },
    async getKeyUsage({ accountId, keyHashes, at }) {
      if (keyHashes.length > keyHashesMax)
        throw new Fault('invalid_request', { message: `At most ${keyHashesMax} keys at once` });
      const starts = windowStarts(at);
      return { usages: [...(await readKeyUsage(database, { accountId, keyHashes, starts }))] };
    },
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

function windowStarts(at: string): WindowStarts {
  if (!isInstant(at)) throw new Fault('invalid_request', { message: 'at is no UTC instant' });
  const instant = new Date(at);
  const start = (kind: keyof WindowStarts) => windowAt(kind, instant).start;
  return {
    lifetime: start('lifetime'),
    daily: start('daily'),
    weekly: start('weekly'),
    monthly: start('monthly'),
  };
}
