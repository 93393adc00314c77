import { Fault } from '@sluice/errors';
import {
  comparePositions,
  type EventStore,
  type Position,
  type SubscriptionMessage,
} from '@sluice/es';
import type { Connection } from './connection.ts';
import { isTransient, toFault } from './failure.ts';
import type { Standing } from './standing.ts';
import { SubscriptionBuffer } from './subscription-buffer.ts';
import { backOff } from './wait.ts';

const backoffMsMax = 2_000;

export interface Warnings {
  warn(message: string, fields?: { readonly error?: unknown; readonly count?: number }): void;
}

/** Subscribes again behind the last delivered position, for as long as it takes. */
export function subscriber(
  connection: Connection,
  ended: AbortSignal,
  logger: Warnings | undefined,
  standing: Standing,
): EventStore['subscribe'] {
  return async function* subscribe(options) {
    const { after, streamPrefixes, signal } = options;
    if (streamPrefixes.length === 0)
      throw new Fault('invalid_request', { message: 'A subscription needs stream prefixes' });
    const stop = AbortSignal.any([signal, ended]);
    let position = after;
    let failures = 0;
    while (!stop.aborted) {
      const buffer = new SubscriptionBuffer(connection.client, position, streamPrefixes);
      let declined: unknown;
      try {
        if (!(await buffer.opened(stop))) return;
        standing.heard('subscribe');
        await options.onOpen?.().catch((error: unknown) => {
          declined = error;
          throw error;
        });
        for (;;) {
          const batch = await buffer.take(stop);
          if (!batch) return;
          standing.heard('subscribe');
          const fresh = onlyBehind(batch, position);
          position = lastPosition(fresh) ?? position;
          failures = 0;
          if (fresh.length > 0) yield fresh;
        }
      } catch (error) {
        options.onBreak?.();
        if (error !== declined) standing.failed('subscribe', error);
        if (error === declined || !mayResume(error)) throw toFault(error);
        if (isPowerOfTwo(failures + 1))
          logger?.warn('A subscription broke and is resumed', { error, count: failures + 1 });
      } finally {
        buffer.close();
      }
      await backOff(failures++, backoffMsMax, stop);
    }
  };
}

/** Selects the failures to log: the intervals between messages of an outage double. */
function isPowerOfTwo(count: number): boolean {
  return Number.isInteger(Math.log2(count));
}

/** A refused position or credential stays refused; a plain end is the server going away. */
function mayResume(error: unknown): boolean {
  const refused = error instanceof Error && 'type' in error;
  return isTransient(error) || !refused;
}

/** After a resumption the server may repeat itself; a consumer never sees a position twice. */
function onlyBehind(
  batch: readonly SubscriptionMessage[],
  after: Position | 'start',
): readonly SubscriptionMessage[] {
  let last = after;
  return batch.filter((message) => {
    const position = positionOf(message);
    if (!position) return true;
    if (last !== 'start' && comparePositions(position, last) <= 0) return false;
    last = position;
    return true;
  });
}

function lastPosition(batch: readonly SubscriptionMessage[]): Position | undefined {
  return batch.map(positionOf).findLast((position) => position !== undefined);
}

function positionOf(message: SubscriptionMessage): Position | undefined {
  if (message.kind === 'caught_up') return undefined;
  return message.kind === 'event' ? message.event.position : message.position;
}
