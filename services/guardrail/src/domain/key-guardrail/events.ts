import { event, type EventOf, instant, nullable } from '@sluice/es';
import { Type } from 'typebox';

/** The guardrail of a key. Names and shapes are the storage format. */
export const keyGuardrailStream = {
  category: 'keyGuardrail',
  id: '<key hash>',
  description: 'The guardrail of a key.',
  events: {
    GuardrailAssignedToKey: event(
      'The key has this guardrail from now on, in place of the one it had.',
      {
        assignmentId: Type.String(),
        accountId: Type.String(),
        guardrailId: Type.String(),
        keyHash: Type.String(),
        keyLabel: Type.String({ description: 'The key with its middle left out.' }),
        assignedBy: nullable(Type.String(), 'null: by no person.'),
        assignedAt: instant,
      },
    ),
    GuardrailUnassignedFromKey: event('The key has no guardrail of its own any more.', {
      accountId: Type.String(),
      guardrailId: Type.String(),
      keyHash: Type.String(),
      unassignedAt: instant,
    }),
    GuardrailKeyRetired: event(
      'The key is deleted: it gets no guardrail any more, however late one is assigned.',
      { accountId: Type.String(), keyHash: Type.String(), retiredAt: instant },
    ),
  },
};
export type KeyGuardrailEvent = EventOf<typeof keyGuardrailStream>;
export type GuardrailAssignedToKey = EventOf<typeof keyGuardrailStream, 'GuardrailAssignedToKey'>;
export type GuardrailUnassignedFromKey = EventOf<
  typeof keyGuardrailStream,
  'GuardrailUnassignedFromKey'
>;
