import { eventCodec } from '@sluice/es';
import { accountStream } from '../domain/account/events.ts';

/** The storage format of the events of an account. */
export const accountEvents = eventCodec(accountStream, {
  // Version 1 did not ask for the email of the owner.
  AccountOpened: [(data) => ({ ...data, ownerEmail: null })],
});
