import { describe, test } from 'vitest';
import { specification } from '@sluice/es/testing';
import { account, type OpenAccount } from './decide.ts';

const { given } = specification(account);
const occurredAt = '2026-01-02T03:04:05.678Z';
const later = '2026-02-02T03:04:05.678Z';

const values = {
  accountId: 'org_1',
  kind: 'organization' as const,
  name: 'Example',
  ownerUserId: 'user_1',
  ownerEmail: 'owner@example.com',
  defaultWorkspaceId: '0190a000-0000-7000-8000-000000000010',
};
const open: OpenAccount = { type: 'OpenAccount', ...values, occurredAt };
const opened = {
  type: 'AccountOpened' as const,
  data: { ...values, openedAt: occurredAt },
};

describe('opening an account', () => {
  test('opens it', () => given().when(open).then(opened));
  test('again changes nothing', () =>
    given(opened)
      .when({ ...open, occurredAt: later })
      .thenNothing());
  test.each([
    { kind: 'personal' as const },
    { name: 'Other' },
    { ownerUserId: 'user_2' },
    { ownerEmail: null },
    { defaultWorkspaceId: '0190a000-0000-7000-8000-000000000011' },
  ])('again with other values is rejected: %o', (other) =>
    given(opened)
      .when({ ...open, ...other })
      .thenRejected('conflict'),
  );
  test.each([
    { kind: undefined },
    { name: '' },
    { name: 'n'.repeat(201) },
    { name: 'a\0b' },
    { ownerUserId: '' },
    { ownerUserId: 'user 1' },
    { ownerEmail: 'owner' },
    { defaultWorkspaceId: 'default' },
  ])('with malformed values is rejected: %o', (wrong) =>
    given()
      .when({ ...open, ...wrong })
      .thenRejected('invalid_request'),
  );
});
