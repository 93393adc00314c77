import { specification } from '@sluice/es/testing';
import { describe, test } from 'vitest';
import { workspaceMembers, type WorkspaceMembersCommand } from './decide.ts';
import type { WorkspaceMembersEvent, WorkspaceRole } from './events.ts';

const { given } = specification(workspaceMembers);
const of = { accountId: 'org_1', workspaceId: 'w1' };
const occurredAt = '2026-01-02T03:04:05.678Z';
type Sourced = Exclude<WorkspaceMembersEvent, { type: 'WorkspaceMemberRemoved' }>;
type Role = WorkspaceRole | null;

const fact =
  (type: Sourced['type']) =>
  (userId: string, manualRole: Role, directoryRole: Role): WorkspaceMembersEvent => ({
    type,
    data: { ...of, userId, manualRole, directoryRole, changedAt: occurredAt },
  });
const added = fact('WorkspaceMemberAdded');
const roleChanged = fact('WorkspaceMemberRoleChanged');
const sourcesChanged = fact('WorkspaceMemberSourcesChanged');
const removed = (userId: string): WorkspaceMembersEvent => ({
  type: 'WorkspaceMemberRemoved',
  data: { ...of, userId, changedAt: occurredAt },
});

const roles = (members: Readonly<Record<string, WorkspaceRole>>) =>
  Object.entries(members).map(([userId, role]) => ({ userId, role }));
const add = (members: Readonly<Record<string, WorkspaceRole>>): WorkspaceMembersCommand => ({
  type: 'AddMembers',
  ...of,
  members: roles(members),
  occurredAt,
});
const directory = (members: Readonly<Record<string, WorkspaceRole>>): WorkspaceMembersCommand => ({
  type: 'SetDirectoryMembers',
  ...of,
  members: roles(members),
  occurredAt,
});
const withUsers =
  (type: 'RemoveMembers' | 'KeepDirectoryMembers' | 'ExpelMembers') =>
  (...userIds: string[]): WorkspaceMembersCommand => ({ type, ...of, userIds, occurredAt });
const remove = withUsers('RemoveMembers');
const keep = withUsers('KeepDirectoryMembers');
const expel = withUsers('ExpelMembers');

describe('adding members', () => {
  test('adds each with their role', () =>
    given()
      .when(add({ ann: 'admin', bob: 'member' }))
      .then(added('ann', 'admin', null), added('bob', 'member', null)));
  test('again changes nothing', () =>
    given(added('ann', 'admin', null))
      .when(add({ ann: 'admin' }))
      .thenNothing());
  test('with another role changes it', () =>
    given(added('ann', 'admin', null))
      .when(add({ ann: 'member' }))
      .then(roleChanged('ann', 'member', null)));
  test('whom the directory has made an admin leaves the higher role', () =>
    given(added('ann', null, 'admin'))
      .when(add({ ann: 'member' }))
      .then(sourcesChanged('ann', 'member', 'admin')));
});

describe('removing members', () => {
  test('removes them, and passes over who is none', () =>
    given(added('ann', 'admin', null))
      .when(remove('ann', 'bob', 'ann'))
      .then(removed('ann')));
  test('of whom one is a member by the directory removes none', () =>
    given(added('ann', 'member', null), added('bob', 'member', 'member'))
      .when(remove('ann', 'bob'))
      .thenRejected('invalid_request'));
});

describe('what the directory says', () => {
  test('adds whom it names and removes whom it alone had made a member', () => {
    const facts = [removed('ann'), roleChanged('bob', null, 'admin'), added('cem', null, 'member')];
    given(added('ann', null, 'member'), added('bob', null, 'member'))
      .when(directory({ bob: 'admin', cem: 'member' }))
      .then(...facts);
  });
  test('takes nothing that people gave', () =>
    given(added('ann', 'member', null), roleChanged('ann', 'member', 'admin'))
      .when(directory({}))
      .then(roleChanged('ann', 'member', null)));
  test('cannot lower what people gave', () =>
    given(added('ann', 'admin', null))
      .when(directory({ ann: 'member' }))
      .then(sourcesChanged('ann', 'admin', 'member')));
  test('again changes nothing', () =>
    given(added('ann', null, 'member'))
      .when(directory({ ann: 'member' }))
      .thenNothing());
});

describe('keeping members of the directory', () => {
  test('makes their role one that people gave', () =>
    given(added('ann', null, 'admin'), added('bob', null, 'member'))
      .when(keep('ann', 'cem'))
      .then(sourcesChanged('ann', 'admin', 'admin')));
  test('lets them stay when the directory names them no more', () =>
    given(added('ann', null, 'admin'), sourcesChanged('ann', 'admin', 'admin'))
      .when(directory({}))
      .then(sourcesChanged('ann', 'admin', null)));
  test('again changes nothing', () =>
    given(added('ann', null, 'admin'), sourcesChanged('ann', 'admin', 'admin'))
      .when(keep('ann'))
      .thenNothing());
});

describe('losing all access', () => {
  test('of those who left the organization, whoever made them members', () =>
    given(added('ann', 'member', 'admin'), added('bob', 'member', null))
      .when(expel('ann', 'cem'))
      .then(removed('ann')));
  test('of everybody when the workspace is gone', () =>
    given(added('ann', 'member', null), added('bob', null, 'member'))
      .when({ type: 'DissolveMembers', ...of, occurredAt })
      .then(removed('ann'), removed('bob')));
  test('again changes nothing', () =>
    given(added('ann', 'member', null), removed('ann'))
      .when(expel('ann'))
      .thenNothing());
});
