import { type Bus, type BusMessage, directoryStream, subjectFilters } from '@sluice/bus';
import {
  KeyDeleted,
  MemberDeactivated,
  WorkspaceDeleted,
  WorkspaceMemberRemoved,
} from '@sluice/protos/sluice/directory/v1/directory_events';
import type { Logger } from '@sluice/logging';
import type { Cause, DirectoryConsequences } from '../commands/directory-consequences.ts';
import { isKeyHash } from '../store/key-hash.ts';

export interface DirectoryFollower {
  readonly bus: Pick<Bus, 'consume'>;
  readonly consequences: DirectoryConsequences;
  readonly logger: Pick<Logger, 'error'>;
}

const batchMax = 50;

/**
 * Disables the keys of members and workspaces that are gone, erases the credentials of such workspaces,
 * and takes deleted keys off the lists of credentials, until the signal aborts. A fact is acknowledged
 * when all that follows from it is in the log.
 */
export async function followDirectory(
  follower: DirectoryFollower,
  signal: AbortSignal,
): Promise<void> {
  const { bus } = follower;
  const from = { stream: directoryStream.name, batchMax, signal };
  await Promise.all([
    bus.consume({
      ...from,
      durable: 'key-member-deactivated',
      filter: subjectFilters.memberDeactivated,
      handle: each(follower, memberDeactivated),
    }),
    bus.consume({
      ...from,
      durable: 'key-workspace-deleted',
      filter: subjectFilters.workspaceDeleted,
      handle: each(follower, workspaceDeleted),
    }),
    bus.consume({
      ...from,
      durable: 'key-workspace-member-removed',
      filter: subjectFilters.workspaceMemberRemoved,
      handle: each(follower, workspaceMemberRemoved),
    }),
    bus.consume({
      ...from,
      durable: 'key-key-deleted',
      filter: subjectFilters.keyDeleted,
      handle: each(follower, keyDeleted),
    }),
  ]);
}

type Handle = (consequences: DirectoryConsequences, data: object) => Promise<void>;

async function memberDeactivated(follow: DirectoryConsequences, data: object): Promise<void> {
  const fact = MemberDeactivated.fromJSON(data);
  const { accountId, userId: creatorUserId } = fact;
  require(isId(accountId) && isId(creatorUserId));
  await follow.disableKeys({ accountId, workspaceId: null, creatorUserId }, causeOf(fact));
}

async function workspaceDeleted(follow: DirectoryConsequences, data: object): Promise<void> {
  const fact = WorkspaceDeleted.fromJSON(data);
  const { accountId, workspaceId } = fact;
  require(isId(accountId) && isUuid(workspaceId));
  const cause = causeOf(fact);
  await follow.disableKeys({ accountId, workspaceId, creatorUserId: null }, cause);
  await follow.deleteCredentials(accountId, workspaceId, cause);
}

async function workspaceMemberRemoved(follow: DirectoryConsequences, data: object): Promise<void> {
  const fact = WorkspaceMemberRemoved.fromJSON(data);
  const { accountId, workspaceId, userId: creatorUserId } = fact;
  require(isId(accountId) && isUuid(workspaceId) && isId(creatorUserId));
  await follow.disableKeys({ accountId, workspaceId, creatorUserId }, causeOf(fact));
}

async function keyDeleted(follow: DirectoryConsequences, data: object): Promise<void> {
  const fact = KeyDeleted.fromJSON(data);
  const { accountId, keyHash } = fact;
  require(isId(accountId) && isKeyHash(keyHash));
  await follow.forgetKey(accountId, keyHash, causeOf(fact));
}

class MalformedFact extends Error {
  override readonly name = 'MalformedFact';
}

/** Skips and logs a message that is no fact of ours: a redelivery would not change it. */
function each({ consequences, logger }: DirectoryFollower, handle: Handle) {
  return async (messages: readonly BusMessage[]) => {
    for (const { data, subject } of messages)
      try {
        require(typeof data === 'object' && data !== null);
        await handle(consequences, data as object);
      } catch (error) {
        if (!(error instanceof MalformedFact)) throw error;
        logger.error('a fact of the directory cannot be read', { stream: subject, error });
      }
  };
}

function require(isWellFormed: boolean): void {
  if (!isWellFormed) throw new MalformedFact('a member of the fact is missing or malformed');
}

function causeOf({ factId, occurredAt }: Cause): Cause {
  require(factId !== '' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(occurredAt));
  return { factId, occurredAt };
}

const isId = (text: string) => /^[A-Za-z0-9_-]{1,128}$/.test(text);
const isUuid = (text: string) => /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/.test(text);
