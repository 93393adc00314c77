import type {
  EffectiveGuardrail,
  Guardrail as GuardrailMessage,
  KeyAssignment,
  MemberAssignment,
} from '@sluice/protos/sluice/guardrail/v1/guardrail';
import type { Policy } from '../domain/guardrail/events.ts';
import type { ConfiguredGuardrail, Guardrail } from '../domain/guardrail/state.ts';
import type { HoldingGuardrailRow } from '../queries/effective-guardrails.ts';
import type { GuardrailRow } from '../queries/guardrail-row.ts';
import type { KeyAssignmentRow, MemberAssignmentRow } from '../queries/list-assignments.ts';
import { rulesMessage } from './rules-message.ts';

/** undefined when it is not configured any more. */
export function fromState(guardrail: Guardrail): GuardrailMessage | undefined {
  return guardrail.status === 'configured' ? message(guardrail) : undefined;
}

export function fromRow(row: GuardrailRow): GuardrailMessage {
  return message({
    ...row,
    // Our own projection wrote it, in the shape of the events.
    policy: row.policy as Policy,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt?.toISOString() ?? null,
  });
}

export function effectiveMessage(row: HoldingGuardrailRow): EffectiveGuardrail {
  // Our own projection wrote it, in the shape of the events.
  const policy = row.policy as Policy;
  return {
    guardrailId: row.guardrailId,
    name: row.name,
    scope: row.scope,
    assigneeId: row.assigneeId,
    limitNanoUsd: amountOf(policy),
    windowKind: policy.resetInterval ?? '',
    includeByok: policy.includeByok,
    rules: rulesMessage(policy),
  };
}

export function keyAssignmentMessage(row: KeyAssignmentRow, keyName: string): KeyAssignment {
  const { assignmentId, guardrailId, keyHash, keyLabel, assignedBy, createdAt } = row;
  const of = { assignmentId, guardrailId, keyHash, keyLabel, keyName };
  return { ...of, assignedBy: assignedBy ?? undefined, createdAt: createdAt.toISOString() };
}

export function memberAssignmentMessage(row: MemberAssignmentRow): MemberAssignment {
  const { assignmentId, guardrailId, userId, assignedBy, createdAt } = row;
  const of = { assignmentId, guardrailId, userId };
  return { ...of, assignedBy: assignedBy ?? undefined, createdAt: createdAt.toISOString() };
}

function message(guardrail: Omit<ConfiguredGuardrail, 'status'>): GuardrailMessage {
  const { policy } = guardrail;
  return {
    guardrailId: guardrail.guardrailId,
    workspaceId: guardrail.workspaceId ?? undefined,
    isDefault: guardrail.isDefault,
    values: {
      name: guardrail.name,
      description: guardrail.description ?? undefined,
      limitNanoUsd: amountOf(policy),
      resetInterval: policy.resetInterval ?? undefined,
      includeByok: policy.includeByok,
      rules: rulesMessage(policy),
    },
    createdAt: guardrail.createdAt,
    updatedAt: guardrail.updatedAt ?? undefined,
  };
}

function amountOf({ limitNanoUsd }: Policy): bigint | undefined {
  return limitNanoUsd === null ? undefined : BigInt(limitNanoUsd);
}
