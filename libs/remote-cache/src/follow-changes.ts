import type { Notices } from '@sluice/bus';
import type { RemoteCache } from './remote-cache.ts';

/**
 * Marks the answers of an account as stale when a notice arrives, and drops them if it is a revocation. Refreshes
 * older answers when notices may be lost.
 */
export function followChanges(
  notices: Pick<Notices, 'listen'>,
  {
    filters,
    known,
  }: {
    /** Subjects whose last part is the account. */
    readonly filters: readonly string[];
    readonly known: Pick<RemoteCache<object, unknown>, 'changed' | 'forget' | 'subscribedAnew'>;
  },
): void {
  notices.listen({
    filters,
    received({ subject, data }) {
      const accountId = subject.slice(subject.lastIndexOf('.') + 1);
      if (isRevocation(data)) known.forget(accountId);
      else known.changed(accountId);
    },
    missed: () => known.subscribedAnew(),
  });
}

/** True for a `CredentialsChanged` that revokes. */
function isRevocation(data: unknown): boolean {
  return (
    typeof data === 'object' && data !== null && 'isRevoked' in data && data.isRevoked === true
  );
}
