import { deepEqual } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import {
  type DirectoryMember,
  directoryMemberships,
  entitlements,
  losers,
  memberChanges,
} from './entitlements.ts';
import type { ScimRole } from './events.ts';
import type { ScimDirectory } from './state.ts';

interface Said {
  /** Users with their state. */
  readonly users?: Readonly<Record<string, boolean>>;
  readonly groups?: Readonly<Record<string, readonly string[]>>;
  readonly deleted?: readonly string[];
  /** `group workspace role` */
  readonly mappings?: readonly string[];
  readonly workspaces?: readonly string[];
}

/** Users are known by letters, with an address each: `a` is a@example.com. */
function directory(said: Said): ScimDirectory {
  const { users = {}, groups = {}, deleted = [], mappings = [], workspaces = [] } = said;
  const parts = mappings.map((text) => text.split(' ') as [string, string, ScimRole]);
  const times = { createdAt: '', updatedAt: '' };
  return {
    users: new Map(
      Object.entries(users).map(([externalId, isActive]) => [
        externalId,
        { externalId, email: `${externalId.charAt(0)}@example.com`, isActive },
      ]),
    ),
    groups: new Map(
      Object.entries(groups).map(([groupId, members]) => [
        groupId,
        {
          groupId,
          externalId: groupId,
          displayName: groupId,
          memberIds: new Set(members),
          deletedBy: deleted.includes(groupId) ? 'job' : undefined,
        },
      ]),
    ),
    mappings: new Map(
      parts.map(([groupId, workspaceId, role]) => [
        `${groupId} ${workspaceId}`,
        { mappingId: `${groupId} ${workspaceId}`, groupId, workspaceId, role, ...times },
      ]),
    ),
    workspaceIds: new Set([...parts.map(([, workspaceId]) => workspaceId), ...workspaces]),
  };
}

const member = (letter: string, changed: Partial<DirectoryMember> = {}): DirectoryMember => ({
  userId: `user_${letter}`,
  email: `${letter}@example.com`,
  isActive: true,
  isEndedByDirectory: false,
  isOwner: false,
  ...changed,
});
const plain = (found: ReadonlyMap<string, ReadonlyMap<string, ScimRole>>) =>
  Object.fromEntries([...found].map(([id, roles]) => [id, Object.fromEntries(roles)]));
const open = (said: Said, ...members: readonly DirectoryMember[]) =>
  plain(directoryMemberships(directory(said), members));
const everybody = { a: true, b: true };

describe('what a directory opens', () => {
  test('is the mapped workspaces, with the role of the mapping', () => {
    const said = {
      users: everybody,
      groups: { g: ['a', 'b'], h: ['b'] },
      mappings: ['g one member', 'g two admin', 'h three member'],
    };
    deepEqual(open(said, member('a'), member('b')), {
      one: { user_a: 'member', user_b: 'member' },
      two: { user_a: 'admin', user_b: 'admin' },
      three: { user_b: 'member' },
    });
  });

  test('is the highest role where several groups open the same', () => {
    for (const mappings of [
      ['g one member', 'h one admin'],
      ['g one admin', 'h one member'],
    ]) {
      const said = { users: everybody, groups: { g: ['a'], h: ['a'] }, mappings };
      deepEqual(open(said, member('a')), { one: { user_a: 'admin' } });
    }
  });

  test('stays where another group still opens it, with that one’s role', () => {
    const said = {
      users: everybody,
      groups: { g: [], h: ['a'] },
      mappings: ['g one admin', 'h one member'],
    };
    deepEqual(open(said, member('a')), { one: { user_a: 'member' } });
  });

  test('is nothing where the group was deleted, or nobody is mapped any more', () => {
    const said = { users: everybody, groups: { g: ['a'] }, mappings: ['g one member'] };
    deepEqual(open({ ...said, deleted: ['g'] }, member('a')), { one: {} });
    deepEqual(open({ ...said, mappings: [], workspaces: ['one'] }, member('a')), { one: {} });
  });

  test('waits for people who are no members yet', () => {
    const said = { users: everybody, groups: { g: ['a', 'b'] }, mappings: ['g one member'] };
    deepEqual(open(said), { one: {} });
    deepEqual(plain(entitlements(directory(said))), {
      one: { 'a@example.com': 'member', 'b@example.com': 'member' },
    });
    deepEqual(open(said, member('b')), { one: { user_b: 'member' } });
  });

  test('is nothing to who is not active, in the directory or in the organization', () => {
    const said = {
      users: { a: false, b: true },
      groups: { g: ['a', 'b', 'x'] },
      mappings: ['g one member'],
    };
    deepEqual(open(said, member('a'), member('b', { isActive: false })), { one: {} });
  });

  test('is open to an address however it is written', () => {
    const said = { users: everybody, groups: { g: ['a'] }, mappings: ['g one member'] };
    deepEqual(open(said, member('a', { email: 'A@Example.com' })), { one: { user_a: 'member' } });
  });
});

describe('a membership of the organization', () => {
  const changes = (users: Said['users'], ...members: readonly DirectoryMember[]) => {
    const { toEnd, toBringBack } = memberChanges(directory({ users: users ?? {} }), members);
    return [[...toEnd], [...toBringBack]];
  };
  const ended = { isActive: false, isEndedByDirectory: true };

  test('ends when the directory says so, and comes back', () => {
    deepEqual(changes({ a: false }, member('a')), [['user_a'], []]);
    deepEqual(changes({ a: true }, member('a')), [[], []]);
    deepEqual(changes({ a: true }, member('a', ended)), [[], ['user_a']]);
    deepEqual(changes({ a: false }, member('a', ended)), [[], []]);
  });
  test('that an administrator ended stays ended', () =>
    deepEqual(changes({ a: true }, member('a', { isActive: false })), [[], []]));
  test('whom the directory never reported stays', () =>
    deepEqual(changes({ a: false }, member('b')), [[], []]));
  test('of the owner stays', () =>
    deepEqual(changes({ a: false }, member('a', { isOwner: true })), [[], []]));
  test('of who is there twice stays while one of the two is active', () =>
    deepEqual(changes({ a1: false, a2: true }, member('a')), [[], []]));
  test('that comes back opens at once what the directory opens', () => {
    const said = { users: everybody, groups: { g: ['a'] }, mappings: ['g one member'] };
    deepEqual(open(said, member('a', ended)), { one: { user_a: 'member' } });
  });
});

test('who would have less is who has nothing or less than before', () => {
  const roles = (...some: readonly (readonly [string, ScimRole])[]) =>
    new Map([['w', new Map(some)]]);
  const before = roles(['a', 'admin'], ['b', 'admin'], ['c', 'member'], ['d', 'member']);
  const after = roles(['a', 'admin'], ['b', 'member'], ['c', 'admin']);
  deepEqual(losers('w', before, after), ['b', 'd']);
  deepEqual(losers('w', before, new Map()), ['a', 'b', 'c', 'd']);
  deepEqual(losers('v', before, after), []);
});

test('nobody has more than the mappings of their groups give, and nobody less', () => {
  const letters = ['a', 'b', 'c'];
  const subset = fc.subarray(letters);
  const role = fc.constantFrom('admin', 'member');
  const mapping = fc
    .tuple(fc.constantFrom('g', 'h', 'i'), fc.constantFrom('one', 'two'), role)
    .map((parts) => parts.join(' '));
  const said = fc.record({
    active: subset,
    g: subset,
    h: subset,
    i: subset,
    deleted: fc.subarray(['g', 'h', 'i']),
    mappings: fc.uniqueArray(mapping, {
      selector: (text) => text.split(' ').slice(0, 2).join(' '),
    }),
  });
  fc.assert(
    fc.property(said, ({ active, g, h, i, deleted, mappings }) => {
      const users = Object.fromEntries(letters.map((one) => [one, active.includes(one)]));
      const groups: Readonly<Record<string, readonly string[]>> = { g, h, i };
      const found = open(
        { users, groups, deleted, mappings },
        ...letters.map((one) => member(one)),
      );
      for (const workspace of ['one', 'two'])
        for (const letter of letters) {
          const granted = mappings
            .map((text) => text.split(' '))
            .filter(
              ([group = '', into]) =>
                into === workspace &&
                !deleted.includes(group) &&
                groups[group]?.includes(letter) === true &&
                active.includes(letter),
            )
            .map(([, , one]) => one);
          const expected = granted.includes('admin') ? 'admin' : granted[0];
          deepEqual(found[workspace]?.[`user_${letter}`], expected);
        }
    }),
  );
});
