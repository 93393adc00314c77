import { StreamNotFoundError } from '@eventstore/db-client';
import { Fault } from '@sluice/errors';
import type { EventStore } from '@sluice/es';
import type { Connection } from './connection.ts';
import { isTransient, isUnanswered, toFault } from './failure.ts';
import { readOnce } from './read-once.ts';
import type { Standing } from './standing.ts';
import { steadyUnixMs } from './steady-time.ts';
import { backOff } from './wait.ts';

const backoffMsMax = 500;
/** A read fails after this long without progress, so that a caller with a deadline of 5 s still gets the reason. */
const retryForMs = 4_000;
/** A probe is one attempt: its caller is answered within a second. */
const probeMsMax = 800;

/**
 * Goes on behind the last event that was delivered when the store is away for a moment, until the signal
 * aborts. While the store is known to be away a read fails at once; one that is on its way, with its attempt.
 */
export function reader(
  connection: Connection,
  ended: AbortSignal,
  standing: Standing,
): EventStore['read'] {
  return async function* read(stream, fromRevision = 0n, caller?: AbortSignal) {
    if (caller?.aborted) throw new Fault('unavailable');
    const isProbe = standing.admitRead() === 'probe';
    const signal = caller ? AbortSignal.any([caller, ended]) : ended;
    const limits = { signal, ...(isProbe ? { timeoutMs: probeMsMax } : {}) };
    let next = fromRevision;
    let giveUpAtMs = performance.now() + retryForMs;
    for (let failures = 0; ; failures++) {
      const startedMs = steadyUnixMs();
      const { client } = connection;
      try {
        for await (const event of readOnce(client, stream, { fromRevision: next }, limits)) {
          standing.heard('read');
          next = event.revision + 1n;
          yield event;
          failures = 0;
          giveUpAtMs = performance.now() + retryForMs;
        }
        standing.heard('read');
        return;
      } catch (error) {
        if (error instanceof StreamNotFoundError) return standing.heard('read');
        if (!signal.aborted) standing.failed('read', error, startedMs);
        const hasWaited = performance.now() >= giveUpAtMs || standing.isSilent();
        const isOver = isProbe || signal.aborted || hasWaited;
        if (isOver || !isTransient(error)) throw toFault(error);
        if (isUnanswered(error) && standing.isConnectionLost()) connection.leave(client);
      }
      await backOff(failures, backoffMsMax, signal);
    }
  };
}
