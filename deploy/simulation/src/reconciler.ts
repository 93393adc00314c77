import type { ProviderCall } from './provider.ts';
import type { VirtualLedger } from './virtual-ledger.ts';

/** Corrects the open estimates by the provider's receipts, once the calls are closed. */
export function reconcile(ledger: VirtualLedger, calls: readonly ProviderCall[]): void {
  const testimonies = [...ledger.model.estimates.values()].flatMap((fact) => {
    const call = calls.find(({ attempt }) => attempt === fact.usageId);
    // None: an intent that a crash left before the call, of which the provider knows nothing.
    if (call?.state === 'open') return [];
    return [
      {
        usageId: fact.usageId,
        upstreamId: '',
        inputTokens: BigInt(call?.inputTokens ?? 0),
        cachedTokens: BigInt(call?.cachedTokens ?? 0),
        outputTokens: BigInt(call?.servedTokens ?? 0),
        reasoningTokens: 0n,
        isFree: call?.state !== 'charged',
        costNanoUsd: call?.search?.costNanoUsd,
      },
    ];
  });
  if (testimonies.length > 0) ledger.correct(testimonies);
}
