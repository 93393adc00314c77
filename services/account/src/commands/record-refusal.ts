import { requireAccepted } from '@sluice/errors';
import type { EventStore } from '@sluice/es';
import type { ReceivedContext } from '@sluice/rpc';
import { eventId } from '@sluice/clock-and-ids';
import { type RecordRefusal, refusal } from '../domain/refusal/decide.ts';
import { refusalEvents } from '../store/refusal-events.ts';
import { refusalRate } from './refusal-rate.ts';

export type WantedRefusal = Omit<RecordRefusal, 'type' | 'accountId' | 'leftOut' | 'occurredAt'>;

/**
 * Appends a refusal to the audit of its account. False: there were too many in this minute. No
 * refusal depends on another one, so that nothing is loaded for it.
 */
export function recordRefusal(eventStore: Pick<EventStore, 'append'>) {
  const rate = refusalRate();
  return async (wanted: WantedRefusal, context: ReceivedContext): Promise<boolean> => {
    const { accountId, occurredAt, commandId, requestId, actor, signal } = context;
    const command = { ...wanted, type: 'RecordRefusal', accountId, occurredAt } as const;
    const refused = requireAccepted(refusal.decide({ ...command, leftOut: 0 }, refusal.initial));
    const leftOut = rate.take(accountId, performance.now());
    if (leftOut === undefined) return false;
    const { traceparent, clientIp, userAgent } = context;
    const events = refused.map(({ type, data }, index) => ({
      id: eventId(commandId, index),
      type,
      data: { ...data, leftOut },
      metadata: {
        schemaVersion: refusalEvents.schemaVersion(type),
        occurredAt,
        commandId,
        actor,
        requestId,
        ...(traceparent === undefined ? {} : { traceparent }),
        ...(clientIp === undefined ? {} : { clientIp }),
        ...(userAgent === undefined ? {} : { userAgent }),
        $correlationId: requestId,
        $causationId: commandId,
      },
    }));
    await eventStore.append(`${refusalEvents.streamPrefix}${accountId}`, events, 'any', signal);
    return true;
  };
}
