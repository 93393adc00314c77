import { join } from 'node:path';
import fc from 'fast-check';
import { storedEventsSpecification } from '@sluice/es/testing';
import { account } from '../domain/account/decide.ts';
import { accountEvents } from './account-events.ts';

storedEventsSpecification({
  codec: accountEvents,
  decider: account,
  goldenDirectory: join(import.meta.dirname, '../domain/account/golden'),
  events: {
    AccountOpened: fc.record({
      type: fc.constant('AccountOpened' as const),
      data: fc.record({
        accountId: fc.string(),
        kind: fc.constantFrom('personal' as const, 'organization' as const),
        name: fc.string(),
        ownerUserId: fc.string(),
        ownerEmail: fc.option(fc.string()),
        defaultWorkspaceId: fc.uuid(),
        openedAt: fc.string(),
      }),
    }),
    CreditsGranted: fc.record({
      type: fc.constant('CreditsGranted' as const),
      data: fc.record({
        accountId: fc.string(),
        grantId: fc.string(),
        amountNanoUsd: fc.bigInt({ min: 1n }).map(String),
        reason: fc.string(),
        grantedAt: fc.string(),
      }),
    }),
    CreditsPurchased: fc.record({
      type: fc.constant('CreditsPurchased' as const),
      data: fc.record({
        accountId: fc.string(),
        purchaseId: fc.string(),
        amountNanoUsd: fc.bigInt({ min: 1n }).map(String),
        reason: fc.string(),
        purchasedAt: fc.string(),
      }),
    }),
    CreditsRefunded: fc.record({
      type: fc.constant('CreditsRefunded' as const),
      data: fc.record({
        accountId: fc.string(),
        refundId: fc.string(),
        purchaseId: fc.string(),
        amountNanoUsd: fc.bigInt({ min: 1n }).map(String),
        reason: fc.string(),
        refundedAt: fc.string(),
      }),
    }),
    OrganizationSettingsChanged: fc.record({
      type: fc.constant('OrganizationSettingsChanged' as const),
      data: fc.record({
        accountId: fc.string(),
        isFilteredModelCatalogEnabled: fc.boolean(),
        changedAt: fc.string(),
      }),
    }),
    EntitlementChanged: fc.record({
      type: fc.constant('EntitlementChanged' as const),
      data: fc.record({
        accountId: fc.string(),
        entitlement: fc.constant('scim' as const),
        isEnabled: fc.boolean(),
        changedAt: fc.string(),
      }),
    }),
  },
});
