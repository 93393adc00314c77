import { eventCodec } from '@sluice/es';
import type { AccountEvent } from '../domain/account/events.ts';

/** How the events of an account lie in streams `account-<account id>`. */
export const accountEvents = eventCodec<AccountEvent>({
  current: {
    AccountOpened: 2,
    CreditsGranted: 1,
    CreditsPurchased: 1,
    CreditsRefunded: 1,
    OrganizationSettingsChanged: 1,
    EntitlementChanged: 1,
  },
  // The email of the owner was not asked for at first.
  upcasters: { AccountOpened: { 1: (data) => ({ ...data, ownerEmail: null }) } },
});

export const accountStreamPrefix = 'account-';
