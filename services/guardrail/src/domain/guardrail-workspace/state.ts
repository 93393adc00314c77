import type { GuardrailWorkspaceEvent } from './events.ts';

export interface GuardrailWorkspace {
  readonly hasEnded: boolean;
}

export const initial: GuardrailWorkspace = { hasEnded: false };

export function evolve(
  _workspace: GuardrailWorkspace,
  event: GuardrailWorkspaceEvent,
): GuardrailWorkspace {
  switch (event.type) {
    case 'GuardrailWorkspaceEnded':
      return { hasEnded: true };
  }
}
