import { aggregateEvents } from '@sluice/boot/aggregate-events';
import { account } from '../domain/account/decide.ts';
import { accountStream } from '../domain/account/events.ts';

/** The events of accounts, those of each account under its id. */
export const accountEvents = aggregateEvents(account, accountStream, {
  // Version 1 did not ask for the email of the owner.
  AccountOpened: [(data) => ({ ...data, ownerEmail: null })],
});
