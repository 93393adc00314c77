import { LedgerServiceService } from '@sluice/protos/sluice/ledger/v1/ledger';
import { rpcClient } from '@sluice/rpc';
import type { Surroundings } from '../crash/surroundings.ts';
import type { Receipt, UsageRow } from './reconcile.ts';

const deadlineMs = 10_000;
const nothing = {
  upstreamId: '',
  inputTokens: 0n,
  cachedTokens: 0n,
  outputTokens: 0n,
  reasoningTokens: 0n,
};

/**
 * Corrects the open estimates of the ledger from the provider's receipts, as an operator would.
 * The receipts must be complete: an estimate without a receipt is corrected to zero.
 */
export async function tellReceipts(
  { ledgerAddress: address, rpcToken: token }: Surroundings,
  accountId: string,
  { receipts, rows }: { readonly receipts: readonly Receipt[]; readonly rows: readonly UsageRow[] },
): Promise<void> {
  const open = new Set(
    rows.filter((row) => row.suspendedNanoUsd !== undefined).map(({ usageId }) => usageId),
  );
  const ledger = rpcClient(LedgerServiceService, { address, token, deadlineMs });
  try {
    for (const receipt of receipts)
      if (open.has(receipt.client_request_id))
        await ledger.correctUsage({
          accountId,
          usageId: receipt.client_request_id,
          upstreamId: receipt.id,
          inputTokens: BigInt(receipt.input_tokens),
          cachedTokens: BigInt(receipt.cached_tokens),
          outputTokens: BigInt(receipt.output_tokens),
          reasoningTokens: 0n,
          isFree: receipt.outcome === 'failed',
        });
    const served = new Set(receipts.map(({ client_request_id: usageId }) => usageId));
    for (const { usageId, upstreamCostNanoUsd } of rows)
      if (open.has(usageId) && !served.has(usageId) && upstreamCostNanoUsd > 0n)
        await ledger.correctUsage({ accountId, usageId, ...nothing, isFree: true });
  } finally {
    ledger.close();
  }
}
