import type { Rejection } from '@sluice/errors';
import type { Decider } from '@sluice/es';
import type { GuardrailWorkspaceEvent } from './events.ts';
import { evolve, type GuardrailWorkspace, initial } from './state.ts';

/** The workspace was deleted. */
export interface EndWorkspace {
  readonly type: 'EndWorkspace';
  readonly accountId: string;
  readonly workspaceId: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly occurredAt: string;
}

function decide(
  { accountId, workspaceId, occurredAt }: EndWorkspace,
  { hasEnded }: GuardrailWorkspace,
): readonly GuardrailWorkspaceEvent[] {
  if (hasEnded) return [];
  const data = { accountId, workspaceId, endedAt: occurredAt };
  return [{ type: 'GuardrailWorkspaceEnded', data }];
}

export const guardrailWorkspace: Decider<
  EndWorkspace,
  GuardrailWorkspace,
  GuardrailWorkspaceEvent,
  Rejection<never>
> = { category: 'guardrailWorkspace', initial, evolve, decide };
