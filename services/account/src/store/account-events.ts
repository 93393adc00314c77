import { eventCodec } from '@sluice/es';
import type { AccountEvent } from '../domain/account/events.ts';

/** How the events of an account lie in streams `account-<account id>`. */
export const accountEvents = eventCodec<AccountEvent>({
  current: { AccountOpened: 1, CreditsGranted: 1, CreditsPurchased: 1, CreditsRefunded: 1 },
});

export const accountStreamPrefix = 'account-';
