import type { Rejection } from '@sluice/errors';
import type { Decider } from '@sluice/es';
import type { KeyGuardrailEvent } from './events.ts';
import { evolve, initial, type KeyGuardrail } from './state.ts';

export type KeyGuardrailCommand = AssignToKey | UnassignFromKey | RetireKey;
export type KeyGuardrailRejection = Rejection<'not_found'>;

interface Command<Type extends string> {
  readonly type: Type;
  readonly accountId: string;
  readonly keyHash: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly occurredAt: string;
}

/** That the guardrail and the key may go together was checked before. */
export interface AssignToKey extends Command<'AssignToKey'> {
  readonly assignmentId: string;
  readonly guardrailId: string;
  readonly keyLabel: string;
  readonly assignedBy: string | null;
}

/** Unassigns this guardrail; another one stays. */
export interface UnassignFromKey extends Command<'UnassignFromKey'> {
  readonly guardrailId: string;
}

/** The key was deleted. */
export type RetireKey = Command<'RetireKey'>;

function decide(
  command: KeyGuardrailCommand,
  { isRetired, assignment }: KeyGuardrail,
): readonly KeyGuardrailEvent[] | KeyGuardrailRejection {
  const { accountId, keyHash, occurredAt } = command;
  const unassigned = (guardrailId: string): KeyGuardrailEvent => ({
    type: 'GuardrailUnassignedFromKey',
    data: { accountId, guardrailId, keyHash, unassignedAt: occurredAt },
  });
  switch (command.type) {
    case 'AssignToKey': {
      if (isRetired) return { rejected: 'not_found', message: 'There is no such key' };
      const { assignmentId, guardrailId, keyLabel, assignedBy } = command;
      if (assignment?.guardrailId === guardrailId) return [];
      const of = { assignmentId, accountId, guardrailId, keyHash, keyLabel };
      const data = { ...of, assignedBy, assignedAt: occurredAt };
      return [{ type: 'GuardrailAssignedToKey', data }];
    }
    case 'UnassignFromKey':
      return assignment?.guardrailId === command.guardrailId
        ? [unassigned(command.guardrailId)]
        : [];
    case 'RetireKey': {
      if (isRetired) return [];
      const data = { accountId, keyHash, retiredAt: occurredAt };
      const before = assignment === undefined ? [] : [unassigned(assignment.guardrailId)];
      return [...before, { type: 'GuardrailKeyRetired', data }];
    }
  }
}

export const keyGuardrail: Decider<
  KeyGuardrailCommand,
  KeyGuardrail,
  KeyGuardrailEvent,
  KeyGuardrailRejection
> = { category: 'keyGuardrail', initial, evolve, decide };
