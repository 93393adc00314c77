import type { EventStore } from '@sluice/es';
import { type Projection, streamReaction } from '@sluice/read-model';
import { changeMember } from '../commands/change-member.ts';
import { joinOwner } from '../commands/join-owner.ts';
import { accountEvents } from '../store/account-events.ts';

/**
 * Each organization has its owner as a member, also when the process died after it was opened. Nothing else
 * lets owners in: two writers of the same event ids would wait for each other.
 */
export function joinOwners(eventStore: EventStore): Projection {
  const change = changeMember(eventStore);
  const facts = { projection: 'account.join_owners', version: 1 };
  return streamReaction(accountEvents, facts, async (event) => {
    if (event.type === 'AccountOpened') await joinOwner(change, event.data);
  });
}
