import { eventCodec } from '@sluice/es';
import type { GuardrailWorkspaceEvent } from '../domain/guardrail-workspace/events.ts';

/** How it lies in streams `guardrailWorkspace-<workspace id>` that a workspace has ended. */
export const guardrailWorkspaceEvents = eventCodec<GuardrailWorkspaceEvent>({
  current: { GuardrailWorkspaceEnded: 1 },
});

export const guardrailWorkspaceStreamPrefix = 'guardrailWorkspace-';
