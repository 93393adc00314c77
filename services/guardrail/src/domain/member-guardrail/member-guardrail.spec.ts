import { describe, test } from 'vitest';
import { specification } from '@sluice/es/testing';
import { memberGuardrail } from './decide.ts';

const { given } = specification(memberGuardrail);
const occurredAt = '2026-01-02T03:04:05.678Z';
const of = { accountId: 'org_1', userId: 'user_2' };

const assign = (guardrailId: string, workspaceId: string | null = 'w1') =>
  ({
    type: 'AssignToMember',
    ...of,
    guardrailId,
    assignmentId: `a-${guardrailId}`,
    workspaceId,
    assignedBy: null,
    occurredAt,
  }) as const;
const assigned = (guardrailId: string, workspaceId: string | null = 'w1') =>
  ({
    type: 'GuardrailAssignedToMember',
    data: {
      ...of,
      guardrailId,
      assignmentId: `a-${guardrailId}`,
      workspaceId,
      assignedBy: null,
      assignedAt: occurredAt,
    },
  }) as const;
const unassign = (guardrailId: string) =>
  ({ type: 'UnassignFromMember', ...of, guardrailId, occurredAt }) as const;
const unassigned = (guardrailId: string, workspaceId: string | null = 'w1') =>
  ({
    type: 'GuardrailUnassignedFromMember',
    data: { ...of, guardrailId, workspaceId, unassignedAt: occurredAt },
  }) as const;
const unassignAll = { type: 'UnassignAllFromMember', ...of, occurredAt } as const;

describe('a member', () => {
  test('gets a guardrail', () => given().when(assign('g1')).then(assigned('g1')));

  test('that has it already keeps it as it is', () =>
    given(assigned('g1')).when(assign('g1')).thenNothing());

  test('has one in each workspace, and one that holds in all of them', () => {
    given(assigned('g1')).when(assign('g2', 'w2')).then(assigned('g2', 'w2'));
    given(assigned('g1'), assigned('g2', 'w2')).when(assign('g3', null)).then(assigned('g3', null));
  });

  test('gets another one in place of that of the same workspace', () => {
    given(assigned('g1')).when(assign('g2')).then(assigned('g2'));
    given(assigned('g1'), assigned('g2')).when(unassign('g1')).thenNothing();
  });

  test('loses the one that is named and no other', () =>
    given(assigned('g1'), assigned('g2', 'w2')).when(unassign('g2')).then(unassigned('g2', 'w2')));

  test('loses nothing that they do not have', () => given().when(unassign('g1')).thenNothing());

  test('that is deactivated loses all of them, and nothing the second time', () => {
    const both = [assigned('g1'), assigned('g3', null)];
    given(...both)
      .when(unassignAll)
      .then(unassigned('g1'), unassigned('g3', null));
    given(...both, unassigned('g1'), unassigned('g3', null))
      .when(unassignAll)
      .thenNothing();
  });
});
