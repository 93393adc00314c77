import type { Clock } from '@sluice/service';
import type {
  GetCreditsResponse,
  KeyUsage,
  LedgerServiceService,
  WindowUsage,
} from '@sluice/protos/sluice/ledger/v1/ledger';
import type { Calls } from '@sluice/rpc';
import { present } from './present.ts';

/** What of the ledger the gateway asks. */
export type LedgerCalls = Pick<Calls<LedgerServiceService>, 'getCredits' | 'getKeyUsage'>;

/** What a key has spent in the windows of now, in nano-USD. */
export interface KeySpend {
  readonly credits: WindowUsage;
  readonly byok: WindowUsage;
}

const nothing: WindowUsage = {
  lifetimeNanoUsd: 0n,
  dailyNanoUsd: 0n,
  weeklyNanoUsd: 0n,
  monthlyNanoUsd: 0n,
};
/** Of a key that did not exist a moment ago. */
export const noSpend: KeySpend = { credits: nothing, byok: nothing };

export interface LedgerClient {
  readCredits(accountId: string): Promise<GetCreditsResponse>;
  /** One call for all of them (at most 100); in the order asked. */
  readSpend(accountId: string, keyHashes: readonly string[]): Promise<readonly KeySpend[]>;
}

export function ledgerClient(calls: LedgerCalls, clock: Clock): LedgerClient {
  return {
    readCredits: (accountId) => calls.getCredits({ accountId }),
    async readSpend(accountId, keyHashes) {
      if (keyHashes.length === 0) return [];
      const at = clock.now().toISOString();
      const { usages } = await calls.getKeyUsage({ accountId, keyHashes: [...keyHashes], at });
      const byHash = new Map(usages.map((usage) => [usage.keyHash, usage]));
      return keyHashes.map((hash) => spendOf(byHash.get(hash)));
    },
  };
}

function spendOf(usage: KeyUsage | undefined): KeySpend {
  const { credits, byok } = present(usage);
  return { credits: present(credits), byok: present(byok) };
}
