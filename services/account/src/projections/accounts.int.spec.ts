import { join } from 'node:path';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import {
  projectionSpecification,
  recordedEvents,
  testDatabase,
  type TestDatabase,
} from '@sluice/read-model/testing';
import { accountsProjection } from './accounts.ts';

let database: TestDatabase;
beforeEach(async () => {
  const migrations = join(import.meta.dirname, '../migrations');
  database = await testDatabase({ url: inject('postgresUrl'), migrations });
});
afterEach(() => database.drop());

const opened = {
  type: 'AccountOpened',
  data: {
    accountId: 'org_1',
    kind: 'organization',
    name: 'Example',
    ownerUserId: 'user_1',
    defaultWorkspaceId: '0190a000-0000-7000-8000-000000000010',
    openedAt: '2026-01-02T03:04:05.678Z',
  },
};
const granted = {
  type: 'CreditsGranted',
  data: {
    accountId: 'org_1',
    grantId: 'welcome',
    amountNanoUsd: '10000000000',
    reason: '',
    grantedAt: '2026-01-02T03:04:06.000Z',
  },
};

describe('the table of accounts', () => {
  test('holds an account from its opening, whatever is granted', () =>
    projectionSpecification({ database, apply: accountsProjection.apply })
      .project(...recordedEvents('account-org_1', opened, granted))
      .twice()
      .expectRows('SELECT * FROM accounts', [
        {
          account_id: 'org_1',
          kind: 'organization',
          name: 'Example',
          owner_user_id: 'user_1',
          default_workspace_id: '0190a000-0000-7000-8000-000000000010',
          created_at: new Date('2026-01-02T03:04:05.678Z'),
          is_filtered_model_catalog_enabled: false,
          is_scim_enabled: true,
          is_alignment_enabled: false,
        },
      ]));

  test('shows what an organization has set, and what it may have', () => {
    const accountId = 'org_1';
    const at = { accountId, changedAt: '2026-01-02T03:04:07.000Z' };
    const set = {
      type: 'OrganizationSettingsChanged',
      data: { ...at, isFilteredModelCatalogEnabled: true },
    };
    const taken = {
      type: 'EntitlementChanged',
      data: { ...at, entitlement: 'scim', isEnabled: false },
    };
    const given = {
      type: 'EntitlementChanged',
      data: { ...at, entitlement: 'alignment', isEnabled: true },
    };
    return projectionSpecification({ database, apply: accountsProjection.apply })
      .project(...recordedEvents('account-org_1', opened, set, taken, given))
      .twice()
      .expectRows(
        `SELECT is_filtered_model_catalog_enabled AS filtered, is_scim_enabled AS scim,
                is_alignment_enabled AS alignment FROM accounts`,
        [{ filtered: true, scim: false, alignment: true }],
      );
  });
});
