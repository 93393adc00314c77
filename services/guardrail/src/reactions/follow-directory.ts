import { type Bus, type BusMessage, directoryStream, subjectFilters } from '@sluice/bus';
import type { CommandContext } from '@sluice/es';
import {
  KeyDeleted,
  MemberDeactivated,
  WorkspaceDeleted,
} from '@sluice/protos/sluice/directory/v1/directory_events';
import { derivedId, type Clock } from '@sluice/clock-and-ids';
import type { Logger } from '@sluice/logging';
import { isKeyHash, isUserId } from '../commands/assignees.ts';
import type { Aggregates } from '../store/aggregates.ts';

export interface DirectoryFollower {
  readonly bus: Pick<Bus, 'consume'>;
  readonly aggregates: Aggregates;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'error'>;
}

const batchMax = 100;
const uuidPattern = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/**
 * Takes guardrails away from keys that were deleted and members that were deactivated, and notes which
 * workspaces have ended, until the signal aborts. Each fact is one command on one stream whose id
 * follows from the fact: it is carried out once, however often it comes, and comes again until it was.
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
      durable: 'guardrail-retire-keys',
      filter: subjectFilters.keyDeleted,
      handle: each(follower, retireKey),
    }),
    bus.consume({
      ...from,
      durable: 'guardrail-release-members',
      filter: subjectFilters.memberDeactivated,
      handle: each(follower, releaseMember),
    }),
    bus.consume({
      ...from,
      durable: 'guardrail-end-workspaces',
      filter: subjectFilters.workspaceDeleted,
      handle: each(follower, endWorkspace),
    }),
  ]);
}

type Handle = (follower: DirectoryFollower, data: object) => Promise<void>;

function each(follower: DirectoryFollower, handle: Handle) {
  return async (messages: readonly BusMessage[]) => {
    for (const message of messages) await handleOne(follower, message, handle);
  };
}

/** Skips and logs a message that is no fact of ours: a redelivery would not change it. */
async function handleOne(
  follower: DirectoryFollower,
  { data, subject }: BusMessage,
  handle: Handle,
): Promise<void> {
  try {
    if (typeof data !== 'object' || data === null) throw new MalformedFact('no JSON object');
    await handle(follower, data);
  } catch (error) {
    if (!(error instanceof MalformedFact)) throw error;
    follower.logger.error('a fact of the directory cannot be read', { stream: subject, error });
  }
}

class MalformedFact extends Error {
  override readonly name = 'MalformedFact';
}

async function retireKey(follower: DirectoryFollower, data: object): Promise<void> {
  const { factId, accountId, keyHash } = KeyDeleted.fromJSON(data);
  if (!isUserId(accountId) || !isKeyHash(keyHash)) throw new MalformedFact('no key of an account');
  const context = contextOf(follower, factId);
  const { occurredAt } = context;
  const command = { type: 'RetireKey', accountId, keyHash, occurredAt } as const;
  await follower.aggregates.handleKey(keyHash, command, context);
}

async function releaseMember(follower: DirectoryFollower, data: object): Promise<void> {
  const { factId, accountId, userId } = MemberDeactivated.fromJSON(data);
  if (!isUserId(accountId) || !isUserId(userId)) throw new MalformedFact('no member of an account');
  const context = contextOf(follower, factId);
  const { occurredAt } = context;
  const command = { type: 'UnassignAllFromMember', accountId, userId, occurredAt } as const;
  await follower.aggregates.handleMember(command, context);
}

async function endWorkspace(follower: DirectoryFollower, data: object): Promise<void> {
  const { factId, accountId, workspaceId } = WorkspaceDeleted.fromJSON(data);
  if (!isUserId(accountId) || !uuidPattern.test(workspaceId))
    throw new MalformedFact('no workspace of an account');
  const context = contextOf(follower, factId);
  const { occurredAt } = context;
  const command = { type: 'EndWorkspace', accountId, workspaceId, occurredAt } as const;
  await follower.aggregates.handleWorkspace(workspaceId, command, context);
}

function contextOf({ clock }: DirectoryFollower, factId: string): CommandContext {
  if (factId === '') throw new MalformedFact('no fact id');
  const commandId = derivedId('guardrail', factId);
  return {
    commandId,
    occurredAt: clock.now().toISOString(),
    actor: { type: 'system', id: 'guardrail' },
    requestId: commandId,
  };
}
