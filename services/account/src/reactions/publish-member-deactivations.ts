import { createFactPublisher, directoryStream, type FactBus, subjects } from '@sluice/bus';
import { MemberDeactivated } from '@sluice/protos/sluice/directory/v1/directory_events';
import { type Projection, streamReaction } from '@sluice/read-model';
import { memberEvents, memberId } from '../store/member-events.ts';

/**
 * Publishes the deactivation of a member, so that other services end what depends on it. The bus has stored
 * the fact before the checkpoint moves. A reactivation restores nothing there.
 */
export function publishMemberDeactivations(bus: FactBus): Projection {
  const publishFact = createFactPublisher(bus, directoryStream);
  const facts = { projection: 'account.publish_member_deactivations', version: 1 };
  return streamReaction(memberEvents, facts, async (event, { revision }) => {
    if (event.type !== 'MemberDeactivated') return;
    const { accountId, userId, deactivatedAt: occurredAt } = event.data;
    const factId = `${memberId(accountId, userId)}@${revision}`;
    const fact: MemberDeactivated = { factId, accountId, userId, occurredAt };
    const message = MemberDeactivated.toJSON(fact) as object;
    await publishFact(subjects.memberDeactivated(accountId), fact.factId, message);
  });
}
