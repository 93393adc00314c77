import type { GuardrailAssignedToKey, KeyGuardrailEvent } from './events.ts';

export interface KeyGuardrail {
  /** The key is deleted. */
  readonly isRetired: boolean;
  readonly assignment: GuardrailAssignedToKey['data'] | undefined;
}

export const initial: KeyGuardrail = { isRetired: false, assignment: undefined };

export function evolve(state: KeyGuardrail, event: KeyGuardrailEvent): KeyGuardrail {
  switch (event.type) {
    case 'GuardrailAssignedToKey':
      return { ...state, assignment: event.data };
    case 'GuardrailUnassignedFromKey':
      return { ...state, assignment: undefined };
    case 'GuardrailKeyRetired':
      return { isRetired: true, assignment: undefined };
  }
}
