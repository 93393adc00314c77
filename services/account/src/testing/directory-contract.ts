import { deepEqual, equal, ok } from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'vitest';
import type { DirectorySource, Pulled } from '../directory/directory-source.ts';

export interface ServedDirectory {
  readonly source: DirectorySource;
  /** Sets the content of the directory for the organization. */
  say(accountId: string, text: string): Promise<void>;
  close(): Promise<void>;
}

/** Tests the behavior that every directory has. */
export function directoryContract(name: string, open: () => Promise<ServedDirectory>): void {
  let directory: ServedDirectory;
  beforeEach(async () => {
    directory = await open();
  });
  afterEach(() => directory.close());
  const { signal } = new AbortController();
  const pull = (accountId = 'org_1') => directory.source.pull(accountId, signal);
  const say = (value: unknown) => directory.say('org_1', JSON.stringify(value));
  const reasonOf = (pulled: Pulled) => (pulled.kind === 'failed' ? pulled.reason : pulled.kind);
  const user = { id: '00u1', email: 'Ada@Example.com' };
  const group = { id: '00g1', display_name: 'Engineering', members: ['00u1', '00u1', '00u9'] };

  describe(`${name}: a pull`, () => {
    test('says all of what is there now, and passes over what it does not know', async () => {
      await say({
        users: [
          { ...user, name: 'Ada' },
          { id: '00u2', email: 'b@example.com', active: false },
        ],
        groups: [group],
        next: 'more',
      });
      const expected = {
        users: [
          { externalId: '00u1', email: 'ada@example.com', isActive: true },
          { externalId: '00u2', email: 'b@example.com', isActive: false },
        ],
        groups: [{ externalId: '00g1', displayName: 'Engineering', memberIds: ['00u1', '00u9'] }],
      };
      deepEqual(await pull(), { kind: 'pulled', snapshot: expected });
      await say({ users: [], groups: [] });
      deepEqual(await pull(), { kind: 'pulled', snapshot: { users: [], groups: [] } });
    });

    test('says nothing of another organization', async () => {
      await say({ users: [user], groups: [group] });
      equal(reasonOf(await pull('org_2')), 'The directory does not know this organization');
    });

    test.each([
      ['', /did not answer with JSON/],
      ['<html>', /did not answer with JSON/],
      ['[]', /something else: the whole/],
      [{ users: [] }, /groups/],
      [{ users: [{ id: 1, email: 'a@b.c' }], groups: [] }, /users\.0\.id/],
      [{ users: [{ id: '1', email: 'nobody' }], groups: [] }, /users\.0\.email/],
      [{ users: [{ id: 'a\nb', email: 'a@b.c' }], groups: [] }, /users\.0\.id/],
      [{ users: [], groups: [{ ...group, display_name: '' }] }, /groups\.0\.display_name/],
      [{ users: [], groups: [{ ...group, members: 'all' }] }, /groups\.0\.members/],
      [{ users: [user, user], groups: [] }, /two users with the same id/],
      [{ users: [], groups: [group, group] }, /two groups with the same id/],
      [{ users: [], groups: many(1_001, (id) => ({ ...group, id })) }, /groups/],
      [{ users: many(10_001, (id) => ({ ...user, id })), groups: [] }, /users/],
      [{ users: [], groups: [{ ...group, members: many(3_001, (id) => id) }] }, /members/],
      [
        {
          users: [],
          groups: many(34, (id) => ({ ...group, id, members: many(3_000, (one) => one) })),
        },
        /more than 100000 members together/,
      ],
    ])('of what makes no sense fails with a sentence: case %#', async (said, reason) => {
      await directory.say('org_1', typeof said === 'string' ? said : JSON.stringify(said));
      const pulled = await pull();
      ok(reason.test(reasonOf(pulled)), reasonOf(pulled));
    });

    test('of too much fails', async () => {
      await directory.say('org_1', ' '.repeat(16 * 1024 * 1024 + 1));
      equal(reasonOf(await pull()), 'The directory is larger than 16777216 bytes');
    });
  });
}

function many<Item>(count: number, make: (id: string) => Item): readonly Item[] {
  return Array.from({ length: count }, (_, index) => make(String(index)));
}
