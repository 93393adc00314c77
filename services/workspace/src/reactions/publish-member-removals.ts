import { directoryStream, subjects } from '@sluice/bus';
import type { RecordedEvent } from '@sluice/es';
import { WorkspaceMemberRemoved } from '@sluice/protos/sluice/directory/v1/directory_events';
import type { Projection } from '@sluice/read-model';
import {
  workspaceMembersEvents,
  workspaceMembersStreamPrefix,
} from '../store/workspace-members-events.ts';
import { type FactBus, publishFacts } from './publish-facts.ts';

/**
 * When somebody lost access to a workspace, whoever has something of theirs there is told: the bus
 * has stored the fact before the checkpoint moves. Coming back takes nothing of it back.
 */
export function publishMemberRemovals(bus: FactBus): Projection {
  const publishFact = publishFacts(bus, directoryStream);
  async function publish(recorded: RecordedEvent): Promise<void> {
    const event = workspaceMembersEvents.decode(recorded);
    if (event.type !== 'WorkspaceMemberRemoved') return;
    const { accountId, workspaceId, userId, changedAt: occurredAt } = event.data;
    const factId = `${workspaceId}/${userId}@${recorded.revision}`;
    const fact: WorkspaceMemberRemoved = { factId, accountId, workspaceId, userId, occurredAt };
    const message = WorkspaceMemberRemoved.toJSON(fact) as object;
    await publishFact(subjects.workspaceMemberRemoved(accountId), fact.factId, message);
  }
  return {
    projection: 'workspace.publish_member_removals',
    version: 1,
    streamPrefixes: [workspaceMembersStreamPrefix],
    tables: [],
    async apply(_transaction, events) {
      for (const recorded of events) await publish(recorded);
    },
  };
}
