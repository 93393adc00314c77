import { defaultGuardrailId } from '@sluice/policy';
import type { ConfiguredGuardrail } from '../domain/guardrail/state.ts';
import type { Aggregates } from '../store/aggregates.ts';

/** Who makes a request. */
export interface Requester {
  readonly accountId: string;
  readonly workspaceId: string;
  readonly keyHash: string;
  /** Who made the key; empty: nobody. */
  readonly userId: string;
}

/** A guardrail that holds for a request, and whose spend its limit counts. */
export interface HoldingGuardrail {
  readonly guardrail: ConfiguredGuardrail;
  readonly scope: 'workspace' | 'member' | 'key';
  readonly assigneeId: string;
}

/**
 * From the log alone, so that it is right at once after a change and without PostgreSQL: the default
 * of the workspace, those of the member (of no workspace before that of this one), that of the key.
 */
export async function effectivePolicy(
  aggregates: Aggregates,
  { accountId, workspaceId, keyHash, userId }: Requester,
): Promise<readonly HoldingGuardrail[]> {
  const [key, member] = await Promise.all([
    aggregates.key(keyHash),
    userId === '' ? undefined : aggregates.member(accountId, userId),
  ]);
  const ofMember = (member?.assignments ?? [])
    .filter((assignment) => [null, workspaceId].includes(assignment.workspaceId))
    .toSorted(
      (one, other) => Number(one.workspaceId !== null) - Number(other.workspaceId !== null),
    );
  const wanted = [
    { id: defaultGuardrailId(workspaceId), scope: 'workspace', assigneeId: workspaceId } as const,
    ...ofMember.map(
      ({ guardrailId: id }) => ({ id, scope: 'member', assigneeId: userId }) as const,
    ),
    ...(key.assignment === undefined
      ? []
      : [{ id: key.assignment.guardrailId, scope: 'key', assigneeId: keyHash } as const]),
  ];
  const guardrails = await Promise.all(wanted.map(({ id }) => aggregates.guardrail(id)));
  return wanted.flatMap(({ scope, assigneeId }, index) => {
    const guardrail = guardrails[index];
    const holds = guardrail?.status === 'configured' && guardrail.accountId === accountId;
    return holds ? [{ guardrail, scope, assigneeId }] : [];
  });
}
