import { LedgerServiceService } from '@sluice/protos/sluice/ledger/v1/ledger';
import { rpcClient } from '@sluice/rpc';
import type { Installation } from '../../parts/installation.ts';
import { isSearch, type Receipt, receiptNanoUsd, type UsageRow } from './reconcile.ts';

const deadlineMs = 10_000;
const nothing = { upstreamId: '', inputTokens: 0n, cachedTokens: 0n, outputTokens: 0n };

/**
 * Corrects the open estimates of the ledger from the provider's receipts, as an operator would.
 * The receipts must be complete: an estimate without a receipt is corrected to zero.
 */
export async function tellReceipts(
  { ledgerAddress: address, rpcToken: token, bootstrap }: Installation,
  { receipts, rows }: { readonly receipts: readonly Receipt[]; readonly rows: readonly UsageRow[] },
): Promise<void> {
  const open = rows.filter((row) => row.suspendedNanoUsd !== undefined);
  const receiptOf = new Map(receipts.map((receipt) => [receipt.client_request_id, receipt]));
  const ledger = rpcClient(LedgerServiceService, { address, token, deadlineMs });
  const same = { accountId: bootstrap.organization_id, reasoningTokens: 0n };
  try {
    for (const { usageId, upstreamCostNanoUsd } of open) {
      const receipt = receiptOf.get(usageId);
      if (receipt && isSearch(receipt))
        await ledger.correctUsage({
          ...same,
          ...nothing,
          usageId,
          upstreamId: receipt.id,
          costNanoUsd: receiptNanoUsd(receipt),
          isFree: false,
        });
      else if (receipt)
        await ledger.correctUsage({
          ...same,
          usageId,
          upstreamId: receipt.id,
          inputTokens: BigInt(receipt.input_tokens),
          cachedTokens: BigInt(receipt.cached_tokens),
          outputTokens: BigInt(receipt.output_tokens),
          isFree: receipt.outcome === 'failed',
        });
      else if (upstreamCostNanoUsd > 0n)
        await ledger.correctUsage({ ...same, ...nothing, usageId, isFree: true });
    }
  } finally {
    ledger.close();
  }
}
