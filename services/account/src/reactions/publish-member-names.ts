import { type Bus, entityToken, namePublisher, subjects } from '@sluice/bus';
import { aggregateAfter, byStream, type EventStore, type RecordedEvent } from '@sluice/es';
import { EntityNamed } from '@sluice/protos/sluice/name/v1/name_events';
import { currentHistory, eachAtOnce, type History, type Projection } from '@sluice/read-model';
import { member } from '../domain/member/decide.ts';
import { memberEvents, memberId, memberStreamPrefix } from '../store/member-events.ts';

/** Neither order nor repetition matters, and each waits for the bus to store it. */
const atOnceMax = 64;

/**
 * Publishes the name of a member, and the end of a membership. The bus has stored the fact before the checkpoint
 * moves. Each batch publishes the last state of each member, and batches follow the log, so the newest comes last. A
 * member that begins in the batch is not read from the event store again.
 */
export function publishMemberNames(
  bus: Pick<Bus, 'publishFact' | 'ensureStream'>,
  eventStore: EventStore,
): Projection {
  const names = namePublisher(bus);
  async function publish(events: readonly RecordedEvent[], history: History): Promise<void> {
    const last = events.findLast(isNaming);
    if (last === undefined) return;
    const { accountId, userId } = memberEvents.decode(last).data;
    const occurredAt = last.recordedAt.toISOString();
    const id = memberId(accountId, userId);
    const after = await aggregateAfter(eventStore, member, memberEvents, id, events);
    const { state, revision } = after;
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
      await eachAtOnce(byStream(events), atOnceMax, ([, ofOne]) => publish(ofOne, history));
    },
  };
}

function isNaming(recorded: RecordedEvent): boolean {
  return memberEvents.decode(recorded).type !== 'MemberRoleChanged';
}
