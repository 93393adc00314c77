import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { specification } from '@sluice/es/testing';
import type { MappingCommand, PulledGroup } from './commands.ts';
import { scimDirectory } from './decide.ts';
import type { ScimDirectoryEvent, ScimUser } from './events.ts';

const { given } = specification(scimDirectory);
const accountId = 'org_1';
const at = '2026-01-02T03:04:05.678Z';
const pulled = { accountId, jobId: 'job', occurredAt: at };
const said = { accountId, jobId: 'job', changedAt: at };
const user = (externalId: string, isActive = true): ScimUser => ({
  externalId,
  email: `${externalId}@example.com`,
  isActive,
});
const usersChanged = (...users: readonly ScimUser[]) => ({
  type: 'ScimUsersChanged' as const,
  data: { ...said, users },
});
const group = (groupId: string, ...memberIds: readonly string[]): PulledGroup => ({
  groupId,
  externalId: `00${groupId}`,
  displayName: groupId,
  memberIds,
});
const upserted = (groupId: string, displayName = groupId) => ({
  type: 'ScimGroupUpserted' as const,
  data: { ...said, groupId, externalId: `00${groupId}`, displayName },
});
const membership = (
  groupId: string,
  added: readonly string[],
  removed: readonly string[] = [],
) => ({
  type: 'ScimGroupMembershipChanged' as const,
  data: { ...said, groupId, added, removed },
});
const deleted = (groupId: string) => ({
  type: 'ScimGroupDeleted' as const,
  data: { accountId, jobId: 'job', groupId, deletedAt: at },
});
const applyUsers = (...users: readonly ScimUser[]) =>
  ({ type: 'ApplyUsers', ...pulled, users }) as const;
const applyGroups = (...groups: readonly PulledGroup[]) =>
  ({ type: 'ApplyGroups', ...pulled, groups }) as const;
const all = (...events: readonly ScimDirectoryEvent[]) => events;
const present = (...ids: readonly string[]) => ({ ...pulled, presentIds: new Set(ids) });

describe('a pull', () => {
  test('says who is new, and who changed', () => {
    given()
      .when(applyUsers(user('a'), user('b')))
      .then(usersChanged(user('a'), user('b')));
    given(usersChanged(user('a'), user('b')))
      .when(applyUsers(user('a'), user('b', false)))
      .then(usersChanged(user('b', false)));
    given(usersChanged(user('a')))
      .when(applyUsers(user('a')))
      .thenNothing();
  });

  test('says who is there no more, once, and who is back', () => {
    const known = usersChanged(user('a'), user('b'));
    const retire = { type: 'RetireUsers', ...present('a') } as const;
    given(known)
      .when(retire)
      .then(usersChanged(user('b', false)));
    given(known, usersChanged(user('b', false)))
      .when(retire)
      .thenNothing();
    given(known, usersChanged(user('b', false)))
      .when(applyUsers(user('b')))
      .then(usersChanged(user('b')));
  });

  test('says so many at once and the rest the next time', () => {
    const all = Array.from({ length: 1_200 }, (_, index) => user(String(index)));
    const known = all.map((one) => usersChanged(one));
    const gone = (from: number, to: number) =>
      usersChanged(...all.slice(from, to).map((one) => ({ ...one, isActive: false })));
    const retire = { type: 'RetireUsers', ...present() } as const;
    given(...known)
      .when(retire)
      .then(gone(0, 500), gone(500, 1_000));
    given(...known, gone(0, 1_000))
      .when(retire)
      .then(gone(1_000, 1_200));
  });

  test('says which groups are new, renamed, and who joined and left', () => {
    given()
      .when(applyGroups(group('g', 'a', 'b'), group('h')))
      .then(...all(upserted('g'), membership('g', ['a', 'b']), upserted('h')));
    given(upserted('g', 'old'), membership('g', ['a', 'b']))
      .when(applyGroups(group('g', 'b', 'c')))
      .then(...all(upserted('g'), membership('g', ['c']), membership('g', [], ['a'])));
    given(upserted('g'), membership('g', ['a']))
      .when(applyGroups(group('g', 'a')))
      .thenNothing();
  });

  test('says which groups are there no more, and which are back', () => {
    const remove = { type: 'DeleteMissingGroups', ...present('g') } as const;
    given(upserted('g'), upserted('h')).when(remove).then(deleted('h'));
    given(upserted('g'), upserted('h'), deleted('h')).when(remove).thenNothing();
    given(upserted('h'), membership('h', ['a']), deleted('h'))
      .when(applyGroups(group('h', 'a')))
      .then(upserted('h'));
  });

  test('says what is large in parts', () => {
    const ids = Array.from({ length: 2_500 }, (_, index) => String(index));
    given()
      .when(applyGroups(group('g', ...ids)))
      .then(
        ...all(
          upserted('g'),
          membership('g', ids.slice(0, 1_000)),
          membership('g', ids.slice(1_000, 2_000)),
          membership('g', ids.slice(2_000)),
        ),
      );
  });
});

const mappingId = 'm';
const create = { groupId: 'g', workspaceId: 'w', role: 'member' as const };
const createMapping: MappingCommand = {
  type: 'CreateMapping',
  accountId,
  mappingId,
  ...create,
  occurredAt: at,
};
const created = (id = mappingId, changed: Partial<typeof create> = {}) => ({
  type: 'ScimMappingCreated' as const,
  data: { accountId, mappingId: id, ...create, ...changed, createdAt: at },
});
const changeRole = (role: string): MappingCommand => ({
  type: 'ChangeMappingRole',
  accountId,
  mappingId,
  role,
  occurredAt: at,
});
const roleChanged = {
  type: 'ScimMappingRoleChanged' as const,
  data: { accountId, mappingId, role: 'admin' as const, changedAt: at },
};
const remove = (keepMembers: boolean): MappingCommand => ({
  type: 'DeleteMapping',
  accountId,
  mappingId,
  keepMembers,
  occurredAt: at,
});
const removed = (keepMembers: boolean, id = mappingId, workspaceId = 'w') => ({
  type: 'ScimMappingDeleted' as const,
  data: { accountId, mappingId: id, workspaceId, keepMembers, deletedAt: at },
});

describe('a mapping', () => {
  test('is made of a group that the directory has', () => {
    given(upserted('g')).when(createMapping).then(created());
    given().when(createMapping).thenRejected('not_found');
    given(upserted('g'), deleted('g')).when(createMapping).thenRejected('not_found');
  });
  test('is made once for a group and a workspace', () => {
    given(upserted('g'), created('n')).when(createMapping).thenRejected('conflict');
    given(upserted('g'), created('n', { workspaceId: 'v' }))
      .when(createMapping)
      .then(created());
    given(upserted('g'), created('n'), removed(false, 'n')).when(createMapping).then(created());
  });
  test('has a role that changes', () => {
    given(upserted('g'), created()).when(changeRole('admin')).then(roleChanged);
    given(upserted('g'), created()).when(changeRole('member')).thenNothing();
    given(upserted('g'), created()).when(changeRole('owner')).thenRejected('invalid_request');
    given(upserted('g'))
      .when({ ...createMapping, role: 'owner' })
      .thenRejected('invalid_request');
    given(upserted('g')).when(changeRole('admin')).thenRejected('not_found');
  });
  test('is deleted, and says whether its members stay', () => {
    given(upserted('g'), created()).when(remove(true)).then(removed(true));
    given(upserted('g'), created()).when(remove(false)).then(removed(false));
    given(upserted('g'), created(), removed(true)).when(remove(true)).thenRejected('not_found');
  });
  test('of a group that was deleted is as if there were none, until the group is back', () => {
    const history = [upserted('g'), created(), deleted('g')] as const;
    given(...history)
      .when(changeRole('admin'))
      .thenRejected('not_found');
    given(...history)
      .when(remove(false))
      .thenRejected('not_found');
    given(...history, upserted('g'))
      .when(changeRole('admin'))
      .then(roleChanged);
  });
  test('goes with its workspace, also where its group was deleted', () => {
    const gone = { type: 'RemoveWorkspaceMappings', accountId, workspaceId: 'w', occurredAt: at };
    const others = created('n', { workspaceId: 'v' });
    given(upserted('g'), created(), others, deleted('g'))
      .when(gone as MappingCommand)
      .then(removed(false));
    given(upserted('g'), others)
      .when(gone as MappingCommand)
      .thenNothing();
  });
  test('is one of at most 1,000', () => {
    const many = Array.from({ length: 1_000 }, (_, index) =>
      created(String(index), { workspaceId: String(index) }),
    );
    given(upserted('g'), ...many)
      .when(createMapping)
      .thenRejected('invalid_request');
    given(upserted('g'), ...many.slice(1))
      .when(createMapping)
      .then(created());
  });
});

test('what was folded twice over is what was pulled', () => {
  const events: readonly ScimDirectoryEvent[] = [
    upserted('g'),
    membership('g', ['a', 'b']),
    membership('g', ['c'], ['a']),
    deleted('g'),
    upserted('g', 'again'),
  ];
  const { groups } = events.reduce(scimDirectory.evolve, scimDirectory.initial);
  deepEqual([...(groups.get('g')?.memberIds ?? [])], ['b', 'c']);
  equal(groups.get('g')?.displayName, 'again');
});
