import { createFactPublisher, entityToken, type FactBus, nameStream, subjects } from '@sluice/bus';
import type { EventStore } from '@sluice/es';
import { EntityNamed } from '@sluice/protos/sluice/name/v1/name_events';
import { type Projection, publishLatest } from '@sluice/read-model';
import { memberEvents } from '../store/member-events.ts';

/**
 * Publishes the name of a member, and the end of a membership. The bus has stored the fact before the checkpoint
 * moves. Each batch publishes the last state of each member, and batches follow the log, so the newest comes last. A
 * member that begins in the batch is not read from the event store again.
 */
export function publishMemberNames(bus: FactBus, eventStore: EventStore): Projection {
  const publishFact = createFactPublisher(bus, nameStream);
  return publishLatest({
    projection: 'account.publish_member_names',
    version: 1,
    eventStore,
    events: memberEvents,
    concerns: ({ type }) => type !== 'MemberRoleChanged',
    async publish({ id, state, revision, history, event, recorded }) {
      if (state.status === 'none') return;
      const { accountId, userId } = event.data;
      const isActive = state.status === 'active';
      const { firstName, lastName, email } = state.joined;
      const given = [firstName, lastName].filter((part) => part !== null && part !== '');
      const fact: EntityNamed = {
        factId: `member:${id}@${history.published(revision)}`,
        kind: 'member',
        entityId: userId,
        accountId,
        name: isActive ? given.join(' ') : '',
        email: isActive ? email : '',
        state: isActive ? 'named' : 'deleted',
        occurredAt: recorded.recordedAt.toISOString(),
      };
      const entity = entityToken('member', id);
      const message = EntityNamed.toJSON(fact) as object;
      await publishFact(subjects.entityNamed(entity), fact.factId, message);
    },
  });
}
