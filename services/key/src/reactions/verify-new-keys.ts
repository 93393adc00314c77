import type { Position, RecordedEvent } from '@sluice/es';
import { type Projection, requireHeld } from '@sluice/read-model';
import type { Directory } from '../commands/directory.ts';
import type { DirectoryConsequences } from '../commands/directory-consequences.ts';
import type { ApiKeyIssued } from '../domain/api-key/events.ts';
import { apiKeyEvents } from '../store/api-key-events.ts';

export interface VerifyNewKeysDependencies {
  readonly directory: Pick<
    Directory,
    'account' | 'workspaceIsAlive' | 'members' | 'workspaceHasMember'
  >;
  readonly consequences: Pick<DirectoryConsequences, 'disableKey'>;
  /** Resolves with false when the read model does not hold the position in time. */
  readonly projected: (position: Position) => Promise<boolean>;
}

/**
 * A key whose creator or workspace went while it was issued is disabled. Asked again once the read model
 * shows the key: who goes from then on takes it along as any other.
 */
export function verifyNewKeys(dependencies: VerifyNewKeysDependencies): Projection {
  return {
    projection: 'key.verify_new_keys',
    version: 1,
    streamPrefixes: [apiKeyEvents.streamPrefix],
    tables: [],
    async apply(_transaction, events) {
      const issued = events.flatMap((recorded) => {
        const event = apiKeyEvents.decode(recorded);
        return event.type === 'ApiKeyIssued' ? [{ recorded, key: event.data }] : [];
      });
      // Read all keys before the first call: a member who leaves after a response takes the keys along.
      const recorded = issued.map((one) => one.recorded);
      await requireHeld(dependencies.projected, recorded);
      await verify(dependencies, issued);
    },
  };
}

interface Issued {
  readonly recorded: RecordedEvent;
  readonly key: ApiKeyIssued['data'];
}

/** Asks once for keys with the same workspace and creator. */
async function verify(
  { directory, consequences }: VerifyNewKeysDependencies,
  issued: readonly Issued[],
): Promise<void> {
  const answers = new Map<string, boolean>();
  for (const { recorded, key } of issued) {
    const { kind, accountId, workspaceId, creatorUserId } = key;
    const alike = JSON.stringify([kind, accountId, workspaceId, creatorUserId]);
    const orphaned = answers.get(alike) ?? (await isOrphan(directory, key));
    answers.set(alike, orphaned);
    const fact = { factId: recorded.id, occurredAt: key.issuedAt };
    if (orphaned) await consequences.disableKey(accountId, key.hash, fact);
  }
}

/** A management key has no workspace. A creator who was never a member has not left. */
async function isOrphan(
  directory: VerifyNewKeysDependencies['directory'],
  { kind, accountId, workspaceId, creatorUserId }: ApiKeyIssued['data'],
): Promise<boolean> {
  const isRegular = kind === 'regular';
  if (isRegular && !(await directory.workspaceIsAlive(accountId, workspaceId))) return true;
  if (creatorUserId === null || (await directory.account(accountId)).isPersonal) return false;
  const [member] = await directory.members(accountId, [creatorUserId]);
  if (!member) return false;
  if (!member.isActive) return true;
  if (!isRegular) return false;
  return !(await directory.workspaceHasMember(accountId, workspaceId, creatorUserId));
}
