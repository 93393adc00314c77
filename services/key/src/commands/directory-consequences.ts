import { isRejection, rejectionToFault, requireAccepted } from '@sluice/errors';
import { type CommandContext, type EventStore, systemContext } from '@sluice/es';
import type { AccountReads } from '@sluice/read-model';
import { derivedId } from '@sluice/clock-and-ids';
import { type EnabledKeys, enabledKeyHashes } from '../queries/enabled-key-hashes.ts';
import { apiKeyEvents } from '../store/api-key-events.ts';
import { byokEvents } from '../store/byok-events.ts';
import { changeOf, type KeyChange } from './key-change.ts';

export interface ConsequenceDependencies {
  readonly readModel: AccountReads;
  readonly eventStore: EventStore;
  /** Notifies the other processes, best effort. */
  readonly publishChange: (change: KeyChange) => void;
}

/** A fact of another service: an id that stays the same when the fact is delivered again, and its time. */
export interface Cause {
  readonly factId: string;
  readonly occurredAt: string;
}

/**
 * Executes the consequences of a fact of another service. The id of each command is a function of the
 * fact, so that a redelivery changes nothing but completes what was not finished.
 */
export function directoryConsequences(dependencies: ConsequenceDependencies) {
  const { readModel, eventStore, publishChange } = dependencies;
  const handleKey = apiKeyEvents.handler(eventStore);
  const handleByok = byokEvents.handler(eventStore);

  async function disableKey(accountId: string, hash: string, cause: Cause): Promise<void> {
    const { occurredAt } = cause;
    const changes = { disabled: true };
    const command = { type: 'ChangeApiKey', actorType: 'system', accountId, changes } as const;
    const handled = await handleKey(hash, { ...command, occurredAt }, contextOf(cause, hash));
    if (!isRejection(handled)) publishChange(changeOf(hash, accountId, handled));
    // Deleted meanwhile: as good as disabled.
    else if (handled.rejected !== 'not_found') throw rejectionToFault(handled);
  }

  return {
    async disableKeys(keys: EnabledKeys, cause: Cause): Promise<void> {
      for (const hash of await enabledKeyHashes(readModel, keys))
        await disableKey(keys.accountId, hash, cause);
    },
    disableKey,
    async deleteCredentials(accountId: string, workspaceId: string, cause: Cause): Promise<void> {
      const { occurredAt } = cause;
      const command = { type: 'DeleteByokOfWorkspace', workspaceId, occurredAt } as const;
      requireAccepted(await handleByok(accountId, command, contextOf(cause, workspaceId)));
    },
    async forgetKey(accountId: string, keyHash: string, cause: Cause): Promise<void> {
      const { occurredAt } = cause;
      const command = { type: 'ForgetApiKey', keyHash, occurredAt } as const;
      requireAccepted(await handleByok(accountId, command, contextOf(cause, keyHash)));
    },
  };
}

export type DirectoryConsequences = ReturnType<typeof directoryConsequences>;

function contextOf({ factId, occurredAt }: Cause, target: string): CommandContext {
  const commandId = derivedId('key consequence', factId, target);
  return systemContext('key', { commandId, cause: 'consequence', occurredAt });
}
