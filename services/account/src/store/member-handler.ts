import { commandHandler, type EventStore, loadAggregate } from '@sluice/es';
import { eventId, retryPause } from '@sluice/clock-and-ids';
import { account } from '../domain/account/decide.ts';
import type { Account } from '../domain/account/state.ts';
import { member } from '../domain/member/decide.ts';
import { accountEvents } from './account-events.ts';
import { memberEvents, memberId } from './member-events.ts';

/** Handles the commands of members, each member under `memberId`. */
export function memberHandler(store: EventStore) {
  return commandHandler(member, memberEvents, { store, eventId, retryPause });
}

/** The member as it is in the log now, with the position of the last event. */
export async function loadMember(store: EventStore, accountId: string, userId: string) {
  return await loadAggregate(store, member, memberEvents, memberId(accountId, userId));
}

/** The account as it is in the log now. */
export async function loadAccount(store: EventStore, accountId: string): Promise<Account> {
  return (await loadAggregate(store, account, accountEvents, accountId)).state;
}
