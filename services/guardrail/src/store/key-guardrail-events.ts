import { eventCodec } from '@sluice/es';
import type { KeyGuardrailEvent } from '../domain/key-guardrail/events.ts';

/** How it lies in streams `keyGuardrail-<key hash>` which guardrail a key has. */
export const keyGuardrailEvents = eventCodec<KeyGuardrailEvent>({
  current: {
    GuardrailAssignedToKey: 1,
    GuardrailUnassignedFromKey: 1,
    GuardrailKeyRetired: 1,
  },
});

export const keyGuardrailStreamPrefix = 'keyGuardrail-';
