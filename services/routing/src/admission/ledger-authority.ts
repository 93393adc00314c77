import type { Authority, LeaseRequest } from '@sluice/spend';
import type { Metrics } from '@sluice/telemetry';
import type { LedgerCalls } from '../clients/ledger-calls.ts';

type LeaseMetrics = Pick<Metrics, 'spendLeaseRequests' | 'spendAuthorityDuration'>;

/** Makes the ledger the authority of one replica. */
export function ledgerAuthority(
  ledger: Pick<LedgerCalls, 'acquireLeases'>,
  { id, epoch }: { readonly id: string; readonly epoch: bigint },
  metrics: LeaseMetrics,
): Authority {
  return {
    async acquire(requests) {
      for (const [purpose, leases] of Map.groupBy(requests, purposeOf))
        metrics.spendLeaseRequests.add(leases.length, { purpose });
      const startedMs = performance.now();
      const ended = (outcome: string) =>
        metrics.spendAuthorityDuration.record((performance.now() - startedMs) / 1_000, { outcome });
      try {
        const leases = requests.map((one) => ({ ...one }));
        const answer = await ledger.acquireLeases({ replica: id, epoch, leases });
        ended('answered');
        return answer;
      } catch (error) {
        ended('failed');
        throw error;
      }
    },
  };
}

function purposeOf({ close, wantedNanoUsd, needNanoUsd }: LeaseRequest): string {
  if (close) return 'close';
  return needNanoUsd > 0n || wantedNanoUsd > 0n ? 'refill' : 'renew';
}
