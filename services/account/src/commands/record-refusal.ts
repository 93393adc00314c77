import { requireAccepted } from '@sluice/errors';
import type { EventStore } from '@sluice/es';
import type { ReceivedContext } from '@sluice/rpc';
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
    const { accountId, occurredAt, signal } = context;
    const command = { ...wanted, type: 'RecordRefusal', accountId, occurredAt } as const;
    const refused = requireAccepted(refusal.decide({ ...command, leftOut: 0 }, refusal.initial));
    const leftOut = rate.take(accountId, performance.now());
    if (leftOut === undefined) return false;
    const counted = refused.map(({ type, data }) => ({ type, data: { ...data, leftOut } }));
    const events = refusalEvents.toAppend(counted, context);
    await eventStore.append(`${refusalEvents.streamPrefix}${accountId}`, events, 'any', signal);
    return true;
  };
}
