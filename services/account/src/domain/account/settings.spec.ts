import { describe, test } from 'vitest';
import { specification } from '@sluice/es/testing';
import { account } from './decide.ts';
import type { AccountKind } from './events.ts';
import type { ChangeEntitlement, ChangeOrganizationSettings } from './settings.ts';

const { given } = specification(account);
const accountId = 'org_1';
const occurredAt = '2026-01-02T03:04:05.678Z';
const opened = (kind: AccountKind) => ({
  type: 'AccountOpened' as const,
  data: {
    accountId,
    kind,
    name: 'Example',
    ownerUserId: 'user_1',
    ownerEmail: null,
    defaultWorkspaceId: '0190a000-0000-7000-8000-000000000010',
    openedAt: occurredAt,
  },
});
const change = (isFilteredModelCatalogEnabled: boolean): ChangeOrganizationSettings => ({
  type: 'ChangeOrganizationSettings',
  accountId,
  isFilteredModelCatalogEnabled,
  occurredAt,
});
const changed = (isFilteredModelCatalogEnabled: boolean) => ({
  type: 'OrganizationSettingsChanged' as const,
  data: { accountId, isFilteredModelCatalogEnabled, changedAt: occurredAt },
});
const entitle = (isEnabled: boolean): ChangeEntitlement => ({
  type: 'ChangeEntitlement',
  accountId,
  entitlement: 'scim',
  isEnabled,
  occurredAt,
});
const entitled = (isEnabled: boolean) => ({
  type: 'EntitlementChanged' as const,
  data: { accountId, entitlement: 'scim' as const, isEnabled, changedAt: occurredAt },
});

describe('the settings of an organization', () => {
  test('are off at first', () => {
    given(opened('organization')).when(change(false)).thenNothing();
    given(opened('organization')).when(change(true)).then(changed(true));
  });
  test('change as often as they differ', () => {
    given(opened('organization'), changed(true)).when(change(true)).thenNothing();
    given(opened('organization'), changed(true)).when(change(false)).then(changed(false));
  });
  test('are not there for a personal account, nor for none', () => {
    given(opened('personal')).when(change(true)).thenRejected('not_found');
    given().when(change(true)).thenRejected('not_found');
  });
});

describe('what an account may have', () => {
  test('is had at first', () => {
    given(opened('organization')).when(entitle(true)).thenNothing();
    given(opened('organization')).when(entitle(false)).then(entitled(false));
  });
  test('is given back', () =>
    given(opened('organization'), entitled(false)).when(entitle(true)).then(entitled(true)));
  test('of a beta is given first', () => {
    const admit = { ...entitle(true), entitlement: 'alignment' };
    const { data } = entitled(true);
    const admitted = { ...entitled(true), data: { ...data, entitlement: 'alignment' as const } };
    given(opened('organization'))
      .when({ ...admit, isEnabled: false })
      .thenNothing();
    given(opened('personal')).when(admit).then(admitted);
    given(opened('personal'), admitted).when(admit).thenNothing();
  });
  test('is named', () =>
    given(opened('organization'))
      .when({ ...entitle(false), entitlement: 'everything' })
      .thenRejected('invalid_request'));
  test('is nothing where there is no account', () =>
    given().when(entitle(false)).thenRejected('not_found'));
});
