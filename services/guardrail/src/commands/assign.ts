import { Fault, invalidRequest, invalidValue, type Issue, rejectionToFault } from '@sluice/errors';
import type { Position } from '@sluice/es';
import type { ReceivedContext } from '@sluice/rpc';
import { derivedId, isKeyHash, isPlainId } from '@sluice/clock-and-ids';
import type { ConfiguredGuardrail } from '../domain/guardrail/state.ts';
import type { Aggregates } from '../store/aggregates.ts';
import { changedOf, distinct, forEach, lastOf, of } from './assignees.ts';
import { configuredGuardrail } from './configured-guardrail.ts';
import type { Directory } from './directory.ts';

export interface AssignDependencies {
  readonly aggregates: Aggregates;
  readonly directory: Directory;
}

export interface WantedAssignment {
  readonly guardrailId: string;
  /** Hashes of keys, or ids of users: 1 to 100. One that is named twice counts once. */
  readonly assignees: readonly string[];
  /** null: no person. */
  readonly assignedBy: string | null;
}

/** The result of a call: the number of assignees, and the position of its last event. */
export interface Assigned {
  readonly count: number;
  readonly position: Position | undefined;
}

/**
 * All are checked before the first is written; then each gets its own command, whose id follows from
 * the call's. A call that broke off has assigned some; sent again, it assigns the rest and changes
 * nothing else. A key that is deleted meanwhile counts, and has nothing in the end.
 */
export async function assignToKeys(
  { aggregates, directory }: AssignDependencies,
  { guardrailId, assignees, assignedBy }: WantedAssignment,
  context: ReceivedContext,
): Promise<Assigned> {
  const { accountId, occurredAt } = context;
  const hashes = distinct('key_hashes', assignees);
  const guardrail = await assignable(aggregates, accountId, guardrailId);
  const wellFormed = hashes.every(isKeyHash);
  const keys = wellFormed ? await directory.findKeys(accountId, hashes) : [];
  const byHash = new Map(keys.map((key) => [key.hash, key]));
  const found = hashes.map((hash) => byHash.get(hash)).filter((key) => key !== undefined);
  if (found.length < hashes.length)
    throw new Fault('not_found', { message: 'One of the keys does not exist' });
  const { workspaceId } = guardrail;
  const issues: readonly Issue[] = found.flatMap((key) =>
    workspaceId === null || key.workspaceId === workspaceId
      ? []
      : [{ path: `key_hashes.${assignees.indexOf(key.hash)}`, message: 'is of another workspace' }],
  );
  if (issues.length > 0) throw rejectionToFault(invalidRequest(issues));
  const handled = await forEach(found, ({ hash, label: keyLabel }) => {
    const assignmentId = derivedId('assignment', context.commandId, guardrailId, hash);
    const values = { accountId, occurredAt, assignmentId, guardrailId, keyHash: hash };
    const command = { type: 'AssignToKey', ...values, keyLabel, assignedBy } as const;
    return aggregates.handleKey(hash, command, of(context, hash));
  });
  return { count: found.length, position: lastOf(handled) };
}

/** Assigns to members like assignToKeys: in the workspace of the guardrail, or in all of them. */
export async function assignToMembers(
  { aggregates, directory }: AssignDependencies,
  { guardrailId, assignees, assignedBy }: WantedAssignment,
  context: ReceivedContext,
): Promise<Assigned> {
  const { accountId, occurredAt } = context;
  const userIds = distinct('member_user_ids', assignees);
  const { workspaceId } = await assignable(aggregates, accountId, guardrailId);
  const wellFormed = userIds.every(isPlainId);
  const members = new Set(wellFormed ? await directory.findMembers(accountId, userIds) : []);
  if (!userIds.every((userId) => members.has(userId)))
    throw new Fault('not_found', { message: 'One of the users is no member' });
  const handled = await forEach(userIds, (userId) => {
    const assignmentId = derivedId('assignment', context.commandId, guardrailId, userId);
    const values = { accountId, occurredAt, assignmentId, guardrailId, userId };
    const command = { type: 'AssignToMember', ...values, workspaceId, assignedBy } as const;
    return aggregates.handleMember(command, of(context, userId));
  });
  return { count: userIds.length, position: lastOf(handled) };
}

/** Skips assignees without this guardrail, and does not count them. */
export async function unassignFromKeys(
  { aggregates }: Pick<AssignDependencies, 'aggregates'>,
  { guardrailId, assignees }: Omit<WantedAssignment, 'assignedBy'>,
  context: ReceivedContext,
): Promise<Assigned> {
  const { accountId, occurredAt } = context;
  const hashes = distinct('key_hashes', assignees);
  await configuredGuardrail(aggregates, accountId, guardrailId);
  const handled = await forEach(hashes.filter(isKeyHash), (hash) => {
    const values = { accountId, occurredAt, guardrailId, keyHash: hash };
    const command = { type: 'UnassignFromKey', ...values } as const;
    return aggregates.handleKey(hash, command, of(context, hash));
  });
  return { count: changedOf(handled), position: lastOf(handled) };
}

/** Skips assignees without this guardrail, and does not count them. */
export async function unassignFromMembers(
  { aggregates }: Pick<AssignDependencies, 'aggregates'>,
  { guardrailId, assignees }: Omit<WantedAssignment, 'assignedBy'>,
  context: ReceivedContext,
): Promise<Assigned> {
  const { accountId, occurredAt } = context;
  const userIds = distinct('member_user_ids', assignees);
  await configuredGuardrail(aggregates, accountId, guardrailId);
  const handled = await forEach(userIds.filter(isPlainId), (userId) => {
    const values = { accountId, occurredAt, guardrailId, userId };
    const command = { type: 'UnassignFromMember', ...values } as const;
    return aggregates.handleMember(command, of(context, userId));
  });
  return { count: changedOf(handled), position: lastOf(handled) };
}

async function assignable(
  aggregates: Aggregates,
  accountId: string,
  guardrailId: string,
): Promise<ConfiguredGuardrail> {
  const guardrail = await configuredGuardrail(aggregates, accountId, guardrailId);
  if (!guardrail.isDefault) return guardrail;
  const message = 'is the default of a workspace: it holds there for everybody';
  throw invalidValue('id', message);
}
