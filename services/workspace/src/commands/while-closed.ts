import { Fault, type Rejection, rejectionToFault, requireAccepted } from '@sluice/errors';
import type { ReceivedContext } from '@sluice/rpc';
import type { ClosedToKeys, Directory } from './directory.ts';

/** The key service keeps a closing for 30 s. Whatever is appended is appended well before its end. */
const appendMsMax = 10_000;

export interface WhileClosed<Handled> {
  readonly closed: ClosedToKeys;
  readonly refuseKeys: (count: number) => Rejection;
  /** Appends, or is refused. Writes nothing once the signal of the context has aborted. */
  readonly carryOut: (context: ReceivedContext) => Promise<Handled | Rejection>;
}

/**
 * Carries out a command that only a workspace without keys allows. A key may be issued after the count and before the
 * append. The command that issues it sees that the workspace is closed, waits until this one has ended, and then looks
 * whether it has succeeded. So one of the two is refused. Where the outcome of the append is unknown, the closing stays
 * until it ends by itself.
 */
export async function whileClosed<Handled extends object>(
  directory: Pick<Directory, 'beginClosing' | 'endClosing'>,
  context: ReceivedContext,
  { closed, refuseKeys, carryOut }: WhileClosed<Handled>,
): Promise<Handled> {
  const { accountId } = context;
  const late = AbortSignal.timeout(appendMsMax);
  const signal = context.signal ? AbortSignal.any([context.signal, late]) : late;
  const { keyCount, token } = await directory.beginClosing(accountId, closed);
  if (keyCount > 0) throw rejectionToFault(refuseKeys(keyCount));
  // A closing that cannot be ended ends by itself: the outcome of the command does not depend on it.
  const end = () => directory.endClosing(accountId, token).catch(() => undefined);
  let handled: Handled | Rejection;
  try {
    handled = await carryOut({ ...context, signal });
  } catch (error) {
    const isRefused = error instanceof Fault && !error.retryable;
    if (isRefused) await end();
    throw error;
  }
  await end();
  return requireAccepted(handled);
}
