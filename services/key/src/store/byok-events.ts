import { eventCodec, streamPrefix } from '@sluice/es';
import { byokStream } from '../domain/byok/events.ts';

/** The storage format of the events of an account's provider credentials. */
export const byokEvents = eventCodec(byokStream);

export const byokStreamPrefix = streamPrefix(byokStream);

/** The account that a stream of credentials is named after. */
export function accountOfByokStream(stream: string): string {
  return stream.slice(byokStreamPrefix.length);
}
