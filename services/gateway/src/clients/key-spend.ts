import type { KeyUsage, WindowUsage } from '@sluice/protos/sluice/ledger/v1/ledger';
import type { LedgerCalls } from './calls.ts';
import { present } from './present.ts';

/** The spend of a key in its current windows, in nano-USD. */
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
/** The spend of a key that was created a moment ago. */
export const noSpend: KeySpend = { credits: nothing, byok: nothing };

/** Asks once for all of them (at most 100). Returns them in the order asked. */
export async function readSpend(
  ledger: LedgerCalls,
  now: Date,
  accountId: string,
  keyHashes: readonly string[],
): Promise<readonly KeySpend[]> {
  if (keyHashes.length === 0) return [];
  const at = now.toISOString();
  const { usages } = await ledger.getKeyUsage({ accountId, keyHashes: [...keyHashes], at });
  const byHash = new Map(usages.map((usage) => [usage.keyHash, usage]));
  return keyHashes.map((hash) => spendOf(byHash.get(hash)));
}

/** Returns what the ledger said of a key that it was asked about. */
export function spendOf(usage: KeyUsage | undefined): KeySpend {
  const { credits, byok } = present(usage);
  return { credits: present(credits), byok: present(byok) };
}
