import { type Bus, type PublishNoticeOptions, subjects } from '@sluice/bus';
import { CredentialsChanged } from '@sluice/protos/sluice/key/v1/key_events';
import type { Position, RecordedEvent } from '@sluice/es';
import { type Projection, requireHeld } from '@sluice/read-model';
import type { ByokEvent } from '../domain/byok/events.ts';
import { byokEvents } from '../store/byok-events.ts';

/** A notice to the processes that cache credentials of an account: these have changed. */
export interface CredentialChange {
  readonly accountId: string;
  /** One of them was deleted, disabled or rotated. */
  readonly isRevoked: boolean;
}

export interface CredentialChangesDependencies {
  readonly bus: Pick<Bus, 'publishNotice'>;
  /** Resolves with false when the read model does not hold the position in time. */
  readonly projected: (position: Position) => Promise<boolean>;
}

/** A batch is applied again when its notices are not stored after this time. */
const storedMsMax = 5_000;

/**
 * Notifies the processes that cache credentials of the account. Resolves when the notice is stored. Throws
 * bus_unavailable.
 */
export async function publishCredentialChange(
  bus: Pick<Bus, 'publishNotice'>,
  change: CredentialChange,
  options?: PublishNoticeOptions,
): Promise<void> {
  const message = CredentialsChanged.toJSON(change) as object;
  await bus.publishNotice(subjects.credentialsChanged(change.accountId), message, options);
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
        await publishCredentialChange(bus, change, { timeoutMs: storedMsMax });
    },
    async applySetAside(_connection, streams) {
      for (const accountId of streams.map(byokEvents.idOf))
        await publishCredentialChange(
          bus,
          { accountId, isRevoked: true },
          { timeoutMs: storedMsMax },
        );
    },
  };
}

/** One change for each account. */
function changesOf(events: readonly RecordedEvent[]): Iterable<CredentialChange> {
  const changes = new Map<string, CredentialChange>();
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
