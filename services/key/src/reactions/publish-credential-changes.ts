import { accountNotice, type Bus, reactionNotice, subjects } from '@sluice/bus';
import { CredentialsChanged } from '@sluice/protos/sluice/key/v1/key_events';
import type { Position, RecordedEvent } from '@sluice/es';
import { type Projection, requireHeld } from '@sluice/read-model';
import type { ByokEvent } from '../domain/byok/events.ts';
import { byokEvents } from '../store/byok-events.ts';

/** Notifies the processes that cache credentials. `isRevoked`: one of them was deleted, disabled or rotated. */
export const publishCredentialChange = accountNotice(
  CredentialsChanged,
  subjects.credentialsChanged,
);

export interface CredentialChangesDependencies {
  readonly bus: Pick<Bus, 'publishNotice'>;
  /** Resolves with false when the read model does not hold the position in time. */
  readonly projected: (position: Position) => Promise<boolean>;
}

/**
 * Publishes each change of a credential once the read model shows it, also when the process that made the change
 * died before it could. Throws while the bus is away.
 */
export function publishCredentialChanges({
  bus,
  projected,
}: CredentialChangesDependencies): Projection {
  return {
    projection: 'key.publish_credential_changes',
    version: 1,
    streamPrefixes: [byokEvents.streamPrefix],
    tables: [],
    async apply(_transaction, events) {
      await requireHeld(projected, events);
      for (const change of changesOf(events))
        await publishCredentialChange(bus, change, reactionNotice);
    },
    async applySetAside(_connection, streams) {
      for (const accountId of streams.map(byokEvents.idOf))
        await publishCredentialChange(bus, { accountId, isRevoked: true }, reactionNotice);
    },
  };
}

/** One change for each account. */
function changesOf(events: readonly RecordedEvent[]): Iterable<CredentialsChanged> {
  const changes = new Map<string, CredentialsChanged>();
  for (const recorded of events) {
    const accountId = byokEvents.idOf(recorded.stream);
    const before = changes.get(accountId)?.isRevoked ?? false;
    const isRevoked = before || revokes(byokEvents.decode(recorded));
    changes.set(accountId, { accountId, isRevoked });
  }
  return changes.values();
}

function revokes(event: ByokEvent): boolean {
  switch (event.type) {
    case 'ByokCredentialAdded':
      return false;
    case 'ByokCredentialUpdated':
      return event.data.settings.disabled;
    case 'ByokCredentialRotated':
    case 'ByokCredentialDeleted':
      return true;
  }
}
