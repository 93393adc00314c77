import { describe, test } from 'vitest';
import { specification } from '@sluice/es/testing';
import type {
  ChangeMemberRole,
  DeactivateMember,
  JoinMember,
  ReactivateMember,
} from './commands.ts';
import { member } from './decide.ts';
import type { Deactivator } from './events.ts';

const { given } = specification(member);
const occurredAt = '2026-01-02T03:04:05.678Z';
const ids = { accountId: 'org_1', userId: 'user_2' };
const who = { ...ids, isOwner: false, occurredAt };
const values = {
  ...ids,
  email: 'ada@example.com',
  firstName: 'Ada',
  lastName: null,
  role: 'member' as const,
};

const join: JoinMember = { type: 'JoinMember', ...who, ...values };
const changeRole: ChangeMemberRole = { type: 'ChangeMemberRole', ...who, role: 'admin' };
const deactivate = (by: Deactivator): DeactivateMember => ({
  type: 'DeactivateMember',
  ...who,
  by,
});
const reactivate = (by: Deactivator): ReactivateMember => ({
  type: 'ReactivateMember',
  ...who,
  by,
});

const joined = { type: 'MemberJoined' as const, data: { ...values, joinedAt: occurredAt } };
const promoted = {
  type: 'MemberRoleChanged' as const,
  data: { ...ids, role: 'admin' as const, changedAt: occurredAt },
};
const deactivated = (deactivatedBy: Deactivator) => ({
  type: 'MemberDeactivated' as const,
  data: { ...ids, deactivatedBy, deactivatedAt: occurredAt },
});
const reactivated = {
  type: 'MemberReactivated' as const,
  data: { ...ids, reactivatedAt: occurredAt },
};

describe('joining an organization', () => {
  test('makes a member', () => given().when(join).then(joined));
  test('again changes nothing', () => given(joined).when(join).thenNothing());
  test.each([
    { email: 'other@example.com' },
    { firstName: null },
    { lastName: 'L' },
    { role: 'admin' },
  ])('again with other values is rejected: %o', (other) =>
    given(joined)
      .when({ ...join, ...other })
      .thenRejected('conflict'),
  );
  test('is no way back for whom was deactivated', () =>
    given(joined, deactivated('administrator')).when(join).thenRejected('conflict'));
  test('as less than an admin is nothing for the owner', () =>
    given()
      .when({ ...join, isOwner: true })
      .thenRejected('conflict'));
  test.each([
    { userId: 'user 2' },
    { userId: '' },
    { email: 'ada' },
    { email: 'a b@example.com' },
    { email: `${'a'.repeat(250)}@example.com` },
    { firstName: '' },
    { lastName: 'n'.repeat(201) },
    { firstName: 'a\0b' },
    { role: 'owner' },
  ])('with malformed values is rejected: %o', (wrong) =>
    given()
      .when({ ...join, ...wrong })
      .thenRejected('invalid_request'),
  );
});

describe('the role of a member', () => {
  test('changes', () => given(joined).when(changeRole).then(promoted));
  test('that it is already changes nothing', () =>
    given(joined, promoted).when(changeRole).thenNothing());
  test('is admin or member', () =>
    given(joined)
      .when({ ...changeRole, role: 'owner' })
      .thenRejected('invalid_request'));
  test('of nobody is not found', () => given().when(changeRole).thenRejected('not_found'));
  test('of the owner stays', () =>
    given(joined, promoted)
      .when({ ...changeRole, isOwner: true, role: 'member' })
      .thenRejected('conflict'));
});

describe('a member', () => {
  test('is deactivated once', () => {
    given(joined).when(deactivate('directory')).then(deactivated('directory'));
    given(joined, deactivated('directory')).when(deactivate('directory')).thenNothing();
  });
  test('who is the owner is never deactivated', () =>
    given(joined)
      .when({ ...deactivate('directory'), isOwner: true })
      .thenRejected('conflict'));
  test('whom an administrator ends as well is not brought back by the directory', () => {
    given(joined, deactivated('directory'))
      .when(deactivate('administrator'))
      .then(deactivated('administrator'));
    given(joined, deactivated('administrator')).when(deactivate('directory')).thenNothing();
    given(joined, deactivated('administrator')).when(reactivate('directory')).thenNothing();
  });
  test('comes back by whoever ended it, or by an administrator', () => {
    const ended = given(joined, deactivated('directory'));
    ended.when(reactivate('directory')).then(reactivated);
    ended.when(reactivate('administrator')).then(reactivated);
    given(joined, deactivated('administrator')).when(reactivate('administrator')).then(reactivated);
  });
  test('who is active is not brought back', () =>
    given(joined).when(reactivate('administrator')).thenNothing());
  test('that nobody is cannot be ended or brought back', () => {
    given().when(deactivate('administrator')).thenRejected('not_found');
    given().when(reactivate('administrator')).thenRejected('not_found');
  });
});
