import { Fault } from '@sluice/errors';
import type { Position } from '@sluice/es';
import type { Projector } from './projector-options.ts';

/** More than a read model needs to go on once the event store is back, and less than a caller waits. */
const shownMsMax = 3_500;
const retryAfterSeconds = 1;

/** Waits as `untilShown` does, for the read models that it was made for. */
export type Shown = (position: Position | undefined, signal?: AbortSignal) => Promise<void>;

/**
 * Waits until a read model holds a position, so that the next question shows the change of a command. Throws
 * read_model_unavailable when it does not in time, or when the signal aborts: the change is stored, and the caller may
 * send the same command again.
 */
export async function untilShown(
  waitFor: Projector['waitFor'],
  position: Position | undefined,
  signal?: AbortSignal,
): Promise<void> {
  const over = Promise.withResolvers<false>();
  const end = () => over.resolve(false);
  signal?.addEventListener('abort', end, { once: true });
  if (signal?.aborted) end();
  try {
    if (await Promise.race([waitFor(position, shownMsMax), over.promise])) return;
  } finally {
    signal?.removeEventListener('abort', end);
  }
  const message =
    'The change is stored, but it is not shown yet: send the request again, with its Idempotency-Key if it has one';
  throw new Fault('read_model_unavailable', { message, retryAfterSeconds });
}
