import { deepEqual, equal, rejects } from 'node:assert/strict';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import {
  aContext,
  type AccountWorld,
  accountWorld,
  organizationId as accountId,
  personalId,
} from './testing/account-world.ts';

let world: AccountWorld;
beforeEach(async () => {
  world = await accountWorld({ postgresUrl: inject('postgresUrl') });
  await world.open();
});
afterEach(() => world.stop());

const filter = (isFilteredModelCatalogEnabled: boolean, context = aContext()) =>
  world.accounts.changeOrganizationSettings({ context, isFilteredModelCatalogEnabled });

describe('the settings of an organization', () => {
  test('are answered as they are from now on, and read so at once', async () => {
    const { account } = await filter(true);
    equal(account?.isFilteredModelCatalogEnabled, true);
    deepEqual((await world.accounts.getAccount({ accountId })).account, account);
  });

  test('are none of a personal account', () =>
    rejects(filter(true, aContext(personalId)), { code: 'not_found' }));
});

describe('what an account may have', () => {
  test('is taken from it and given back', async () => {
    for (const isEnabled of [false, true]) {
      const change = { context: aContext(), entitlement: 'scim', isEnabled };
      equal((await world.accounts.changeEntitlement(change)).account?.isScimEnabled, isEnabled);
      const { account } = await world.accounts.getAccount({ accountId });
      equal(account?.isScimEnabled, isEnabled);
    }
  });

  test('has the beta of a plugin only after it is given', async () => {
    for (const isEnabled of [false, true, false]) {
      const change = { context: aContext(), entitlement: 'alignment', isEnabled };
      const { account } = await world.accounts.changeEntitlement(change);
      equal(account?.isAlignmentEnabled, isEnabled);
      deepEqual((await world.accounts.getAccount({ accountId })).account, account);
    }
  });
});
