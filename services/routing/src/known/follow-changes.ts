import type { Bus } from '@sluice/bus';
import type { Known, Question } from './known.ts';

/**
 * Resolves once change messages are received. Each marks the answers of its account as stale; a revocation drops them.
 * Older answers are refreshed after the bus was away, since changes may have been missed. Ends with the signal.
 */
export async function followChanges(
  bus: Pick<Bus, 'subscribe' | 'onReconnect'>,
  {
    filters,
    known,
    signal,
  }: {
    /** Of subjects whose last part is the account. */
    readonly filters: readonly string[];
    readonly known: Pick<Known<Question, unknown>, 'changed' | 'forget' | 'hearing'>;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const changed = ({ subject, data }: { readonly subject: string; readonly data: unknown }) => {
    const accountId = subject.slice(subject.lastIndexOf('.') + 1);
    if (isRevocation(data)) known.forget(accountId);
    else known.changed(accountId);
  };
  let current: AbortController | undefined;
  const listen = async () => {
    const previous = current;
    current = new AbortController();
    const options = { signal: AbortSignal.any([signal, current.signal]) };
    await Promise.all(filters.map((filter) => bus.subscribe(filter, changed, options)));
    previous?.abort();
    known.hearing();
  };
  // A failure means that the connection is lost again: its return calls this once more.
  const off = bus.onReconnect(() => void listen().catch(() => {}));
  signal.addEventListener('abort', off, { once: true });
  await listen();
}

/** True for a `CredentialsChanged` that revokes. */
function isRevocation(data: unknown): boolean {
  return (
    typeof data === 'object' && data !== null && 'isRevoked' in data && data.isRevoked === true
  );
}
