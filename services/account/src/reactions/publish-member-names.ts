import { type Bus, entityToken, namePublisher, subjects } from '@sluice/bus';
import { type EventStore, loadAggregate } from '@sluice/es';
import { EntityNamed } from '@sluice/protos/sluice/name/v1/name_events';
import { currentHistory, type History, type Projection } from '@sluice/read-model';
import { member } from '../domain/member/decide.ts';
import { memberEvents, memberId, memberStreamPrefix } from '../store/member-events.ts';

/**
 * Publishes the name of a member, and the end of a membership. The bus has stored the fact before the checkpoint
 * moves. The fact has the current state of the log, so an event that is read late publishes nothing outdated.
 */
export function publishMemberNames(
  bus: Pick<Bus, 'publishFact' | 'ensureStream'>,
  eventStore: EventStore,
): Projection {
  const names = namePublisher(bus);
  async function publish(
    { accountId, userId }: { readonly accountId: string; readonly userId: string },
    occurredAt: string,
    history: History,
  ): Promise<void> {
    const id = memberId(accountId, userId);
    const { state, revision } = await loadAggregate(eventStore, member, memberEvents, id);
    if (state.status === 'none') return;
    const isActive = state.status === 'active';
    const { firstName, lastName, email } = state.joined;
    const fullName = [firstName, lastName].filter((part) => part !== null && part !== '').join(' ');
    const fact: EntityNamed = {
      factId: `member:${id}@${history.published(revision)}`,
      kind: 'member',
      entityId: userId,
      accountId,
      name: isActive ? fullName : '',
      email: isActive ? email : '',
      state: isActive ? 'named' : 'deleted',
      occurredAt,
    };
    const message = EntityNamed.toJSON(fact) as object;
    const entity = entityToken('member', id);
    await names.publishFact(subjects.entityNamed(entity), fact.factId, message);
  }
  return {
    projection: 'account.publish_member_names',
    version: 1,
    streamPrefixes: [memberStreamPrefix],
    tables: [],
    async apply(transaction, events) {
      const history = await currentHistory(transaction);
      for (const recorded of events) {
        const { type, data } = memberEvents.decode(recorded);
        if (type !== 'MemberRoleChanged')
          await publish(data, recorded.recordedAt.toISOString(), history);
      }
    },
  };
}
