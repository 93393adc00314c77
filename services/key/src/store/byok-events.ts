import { eventCodec } from '@sluice/es';
import type { ByokEvent } from '../domain/byok/events.ts';

/** How the events of an account's provider credentials lie in streams `byok-<account id>`. */
export const byokEvents = eventCodec<ByokEvent>({
  current: {
    ByokCredentialAdded: 1,
    ByokCredentialUpdated: 1,
    ByokCredentialRotated: 1,
    ByokCredentialDeleted: 1,
  },
});

export const byokStreamPrefix = 'byok-';

/** The account that a stream of credentials is named after. */
export function accountOfByokStream(stream: string): string {
  return stream.slice(byokStreamPrefix.length);
}
