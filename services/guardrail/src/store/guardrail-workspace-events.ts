import { aggregateEvents } from '@sluice/boot/aggregate-events';
import { guardrailWorkspace } from '../domain/guardrail-workspace/decide.ts';
import { guardrailWorkspaceStream } from '../domain/guardrail-workspace/events.ts';

/** The ends of workspaces, each under the id of its workspace. */
export const guardrailWorkspaceEvents = aggregateEvents(
  guardrailWorkspace,
  guardrailWorkspaceStream,
);
