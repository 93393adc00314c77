import { eventCodec } from '@sluice/es';
import { guardrailWorkspaceStream } from '../domain/guardrail-workspace/events.ts';

/** The storage format of the end of a workspace. */
export const guardrailWorkspaceEvents = eventCodec(guardrailWorkspaceStream);
