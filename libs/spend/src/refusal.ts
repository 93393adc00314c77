import type { Rejection } from '@sluice/errors';
import { nanoUsdToNumber } from '@sluice/inference';
import type { Lease } from './lease.ts';

export type SpendRefusal = Rejection<'credits_exhausted' | 'key_limit_exceeded'>;

/** What a caller is told whose request does not fit into a budget. */
export function refusalOf(lease: Lease): SpendRefusal {
  const { scopeKind, interval } = lease.budget;
  switch (scopeKind) {
    case 'account':
      return {
        rejected: 'credits_exhausted',
        message: 'Insufficient credits',
        metadata: { reason: 'credits_exhausted' },
      };
    case 'key':
      return {
        rejected: 'key_limit_exceeded',
        message: 'Key limit exceeded',
        metadata: {
          reason: 'key_limit_exceeded',
          scope: 'key',
          limit_usd: nanoUsdToNumber(lease.limitNanoUsd ?? 0n),
          interval,
          ...(lease.window.end ? { resets_at: lease.window.end.toISOString() } : {}),
        },
      };
  }
}
