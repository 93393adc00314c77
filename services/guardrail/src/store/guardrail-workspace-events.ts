import { eventCodec, streamPrefix } from '@sluice/es';
import { guardrailWorkspaceStream } from '../domain/guardrail-workspace/events.ts';

/** The storage format of the end of a workspace. */
export const guardrailWorkspaceEvents = eventCodec(guardrailWorkspaceStream);

export const guardrailWorkspaceStreamPrefix = streamPrefix(guardrailWorkspaceStream);
