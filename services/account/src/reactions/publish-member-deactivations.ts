import { type Bus, directoryStream, subjects } from '@sluice/bus';
import type { RecordedEvent } from '@sluice/es';
import { MemberDeactivated } from '@sluice/protos/sluice/directory/v1/directory_events';
import type { Projection } from '@sluice/read-model';
import { memberEvents, memberId, memberStreamPrefix } from '../store/member-events.ts';

export type MemberBus = Pick<Bus, 'publishFact' | 'ensureStream'>;

/**
 * Publishes the deactivation of a member, so that other services end what depends on it. The bus has stored
 * the fact before the checkpoint moves. A reactivation restores nothing there.
 */
export function publishMemberDeactivations(bus: MemberBus): Projection {
  let streamIsThere: Promise<void> | undefined;
  async function publish(recorded: RecordedEvent): Promise<void> {
    const event = memberEvents.decode(recorded);
    if (event.type !== 'MemberDeactivated') return;
    streamIsThere ??= bus.ensureStream(directoryStream);
    await streamIsThere.catch((error: unknown) => {
      streamIsThere = undefined;
      throw error;
    });
    const { accountId, userId, deactivatedAt: occurredAt } = event.data;
    const factId = `${memberId(accountId, userId)}@${recorded.revision}`;
    const fact: MemberDeactivated = { factId, accountId, userId, occurredAt };
    const message = MemberDeactivated.toJSON(fact) as object;
    await bus.publishFact(subjects.memberDeactivated(accountId), fact.factId, message);
  }
  return {
    projection: 'account.publish_member_deactivations',
    version: 1,
    streamPrefixes: [memberStreamPrefix],
    tables: [],
    async apply(_transaction, events) {
      for (const recorded of events) await publish(recorded);
    },
  };
}
