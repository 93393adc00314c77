import { eventCodec } from '@sluice/es';
import { byokStream } from '../domain/byok/events.ts';

/** The storage format of the events of an account's provider credentials. */
export const byokEvents = eventCodec(byokStream);

/** The account that a stream of credentials is named after. */
export function accountOfByokStream(stream: string): string {
  return stream.slice(byokEvents.streamPrefix.length);
}
