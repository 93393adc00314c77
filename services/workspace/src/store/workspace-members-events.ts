import { eventCodec } from '@sluice/es';
import { workspaceMembersStream } from '../domain/workspace-members/events.ts';

/** The storage format of the events of members. */
export const workspaceMembersEvents = eventCodec(workspaceMembersStream);
