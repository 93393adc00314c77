import { describe, test } from 'vitest';
import { specification } from '@sluice/es/testing';
import { keyGuardrail } from './decide.ts';

const { given } = specification(keyGuardrail);
const occurredAt = '2026-01-02T03:04:05.678Z';
const of = { accountId: 'org_1', keyHash: 'ab'.repeat(32) };
const values = { keyLabel: 'sk-…', assignedBy: 'user_1' };

const assign = (guardrailId: string, assignmentId = 'a1') =>
  ({ type: 'AssignToKey', ...of, ...values, guardrailId, assignmentId, occurredAt }) as const;
const assigned = (guardrailId: string, assignmentId = 'a1') =>
  ({
    type: 'GuardrailAssignedToKey',
    data: { ...of, ...values, guardrailId, assignmentId, assignedAt: occurredAt },
  }) as const;
const unassign = (guardrailId: string) =>
  ({ type: 'UnassignFromKey', ...of, guardrailId, occurredAt }) as const;
const unassigned = (guardrailId: string) =>
  ({
    type: 'GuardrailUnassignedFromKey',
    data: { ...of, guardrailId, unassignedAt: occurredAt },
  }) as const;
const retire = { type: 'RetireKey', ...of, occurredAt } as const;
const retired = { type: 'GuardrailKeyRetired', data: { ...of, retiredAt: occurredAt } } as const;

describe('a key', () => {
  test('gets a guardrail', () => given().when(assign('g1')).then(assigned('g1')));

  test('gets another one in place of it, with an assignment of its own', () =>
    given(assigned('g1')).when(assign('g2', 'a2')).then(assigned('g2', 'a2')));

  test('that has it already keeps it as it is', () =>
    given(assigned('g1')).when(assign('g1', 'a2')).thenNothing());

  test('gets it again after it was taken away', () =>
    given(assigned('g1'), unassigned('g1')).when(assign('g1', 'a2')).then(assigned('g1', 'a2')));

  test('loses it', () => given(assigned('g1')).when(unassign('g1')).then(unassigned('g1')));

  test('does not lose another one', () =>
    given(assigned('g1'), assigned('g2', 'a2')).when(unassign('g1')).thenNothing());

  test('that has none loses nothing', () => given().when(unassign('g1')).thenNothing());
});

describe('a key that was deleted', () => {
  test('loses its guardrail and gets none any more', () => {
    given(assigned('g1')).when(retire).then(unassigned('g1'), retired);
    given(retired).when(assign('g1')).thenRejected('not_found');
  });

  test('is known to be even when it had none: an assignment may be late', () =>
    given().when(retire).then(retired));

  test('twice changes nothing', () => given(retired).when(retire).thenNothing());
});
