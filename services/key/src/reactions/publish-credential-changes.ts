import { type Bus, subjects } from '@sluice/bus';
import { Fault } from '@sluice/errors';
import { CredentialsChanged } from '@sluice/protos/sluice/key/v1/key_events';
import type { Projection } from '@sluice/read-model';
import { accountOfByokStream, byokStreamPrefix } from '../store/byok-events.ts';

/** Tells whoever holds something of the account's credentials to forget it. Best effort: never throws. */
export function publishCredentialChange(
  bus: Pick<Bus, 'publish'>,
  change: { readonly accountId: string },
): void {
  const message = CredentialsChanged.toJSON(change) as object;
  bus.publish(subjects.credentialsChanged(change.accountId), message);
}

/**
 * When a credential changed, everybody is told, also when the process that changed it died before it could
 * say so. Waits for a bus that is away instead of publishing into the void.
 */
export function publishCredentialChanges(
  bus: Pick<Bus, 'publish' | 'isConnected' | 'flush'>,
): Projection {
  return {
    projection: 'key.publish_credential_changes',
    version: 1,
    streamPrefixes: [byokStreamPrefix],
    tables: [],
    async apply(_transaction, events) {
      if (!bus.isConnected()) throw new Fault('bus_unavailable');
      const accountIds = new Set(events.map(({ stream }) => accountOfByokStream(stream)));
      for (const accountId of accountIds) publishCredentialChange(bus, { accountId });
      await bus.flush();
    },
  };
}
