import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { beforeAll, describe, test } from 'vitest';
import { eventually, json, manage, text } from './http.ts';
import { firstOrganization } from './shared/instance.ts';
import type { Running } from './shared/setup.ts';
import { sluice } from './sluice.ts';

let instance: Running;
beforeAll(async () => {
  instance = await firstOrganization();
});

type Fields = Readonly<Record<string, unknown>>;
const run = (...words: readonly string[]) => sluice(instance, [...words]);
const told = async (...words: readonly string[]) => {
  const { code, out, error } = await run(...words, '--json');
  deepEqual([code, error], [0, ''], out);
  return JSON.parse(out) as Fields & { readonly data: Fields };
};
const rowsOf = ({ data }: Fields) => data as readonly Fields[];
const expires = '2099-01-01T00:00:00Z';
const makeManagementKey = async (name: string, ...more: readonly string[]) => {
  const words = ['keys', 'create-management', '--name', name, '--expires', expires, ...more];
  const made = await told(...words);
  return { hash: text(made['hash']), key: text(made['key']) };
};
const statusWith = async (key: string) => (await json(instance, '/keys', { key })).status;
const within = <Value>(ask: () => Promise<Value>, is: (value: Value) => boolean) =>
  eventually(ask, is);

describe('a management key', () => {
  test('is listed by the operator, and tells its expiry', async () => {
    const { hash, key } = await makeManagementKey('listed');
    const list = await told('keys', 'list-management');
    const newest = rowsOf(list).find((row) => row['hash'] === hash);
    deepEqual(
      [newest?.['hash'], newest?.['name'], newest?.['disabled'], newest?.['expires_at']],
      [hash, 'listed', false, '2099-01-01T00:00:00.000Z'],
    );
    equal(list['total_count'], rowsOf(list).length);
    ok(rowsOf(list).some(({ name }) => name === 'First management key'));
    equal(JSON.stringify(list).includes(key), false);
    const own = await json(instance, '/key', { key });
    equal(own.status, 200, JSON.stringify(own.body));
    equal(own.body['data']?.['expires_at'], '2099-01-01T00:00:00.000Z');
    const first = await manage(instance, '/key');
    equal(first.body['data']?.['expires_at'], null);
    match((await run('keys', 'list-management')).out, /^HASH +LABEL +NAME +DISABLED +EXPIRES_AT/);
  });

  test('that is disabled opens nothing within seconds, until it is enabled', async () => {
    const { hash, key } = await makeManagementKey('disabled for a while');
    equal(await statusWith(key), 200);
    equal((await run('keys', 'disable', hash.slice(0, 12))).code, 0);
    await within(
      () => statusWith(key),
      (status) => status === 401,
    );
    equal((await run('keys', 'enable', hash)).code, 0);
    await within(
      () => statusWith(key),
      (status) => status === 200,
    );
  });

  test('that is revoked opens nothing within seconds, and the audit says who did it', async () => {
    const { hash, key } = await makeManagementKey('leaked');
    equal(await statusWith(key), 200);
    const revoked = await run('keys', 'revoke', hash.slice(0, 12));
    deepEqual([revoked.code, revoked.error], [0, '']);
    match(revoked.out, /^Key mk-sluice-v1-\S+ \(leaked\) of org_\S+ is revoked\.\n$/);
    await within(
      () => statusWith(key),
      (status) => status === 401,
    );
    const audit = await run('audit', '--resource', hash, '--action', 'api_key', '--json');
    const entries = audit.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { action: string; actor: Fields });
    deepEqual(
      entries.map(({ action, actor }) => [action, actor['type'], actor['id']]),
      [
        ['api_key.issued', 'system', 'cli'],
        ['api_key.deleted', 'system', 'cli'],
      ],
    );
    const again = await run('keys', 'revoke', hash);
    deepEqual([again.code, again.out], [1, '']);
  });

  test.each([
    ['neither a hash nor the beginning of one', 'mk-sluice', 2],
    ['too short', 'abc', 2],
    ['of no key', 'e'.repeat(64), 1],
    ['the beginning of no key', 'e'.repeat(20), 1],
  ])('is not revoked by a word that is %s', async (_what, word, code) => {
    equal((await run('keys', 'revoke', word)).code, code);
  });

  test('of the first start is named by what the start prints', async () => {
    const hash = createHash('sha256').update(instance.bootstrap.management_key).digest('hex');
    const printed = /sluice -- keys revoke ([0-9a-f]+)/.exec(instance.printed)?.[1] ?? '';
    ok(printed.length >= 8 && hash.startsWith(printed), printed);
    match(instance.printed, /sluice -- keys create-management --name/);
  });
});

describe('an account', () => {
  test('is opened with a workspace and a key that works, and is listed', async () => {
    const words = ['--name', 'Second', '--owner-email', 'owner@example.com', '--id', 'org_second'];
    const { data } = await told('accounts', 'open', ...words);
    deepEqual([data['id'], data['kind'], data['name']], ['org_second', 'organization', 'Second']);
    deepEqual((await told('accounts', 'open', ...words)).data, data);
    const listed = rowsOf(await told('accounts', 'list'));
    const ids = listed.map(({ id }) => id);
    ok(ids.includes(instance.bootstrap.organization_id) && ids.includes('org_second'));
    const { key } = await makeManagementKey('theirs', '--account', 'org_second');
    const workspaces = await json(instance, '/workspaces', { key });
    const [workspace] = rowsOf(workspaces.body);
    deepEqual([workspace?.['id'], workspace?.['slug']], [data['default_workspace_id'], 'default']);
    const members = await json(instance, '/organization/members', { key });
    deepEqual(
      rowsOf(members.body).map(({ id, role }) => [id, role]),
      [[data['owner_user_id'], 'org:admin']],
    );
    const made = await json(instance, '/keys', { key, body: { name: 'first' } });
    equal(made.status, 201);
  });

  test('of a person is opened under the id of its owner', async () => {
    const words = ['--kind', 'personal', '--name', 'Ann', '--owner-email', 'ann@example.com'];
    const { data } = await told('accounts', 'open', ...words);
    equal(data['id'], data['owner_user_id']);
    const { key } = await makeManagementKey('hers', '--account', text(data['id']));
    equal((await json(instance, '/key', { key })).body['data']?.['organization_id'], null);
  });

  test('gets a feature and loses it again', async () => {
    for (const [word, expected] of [
      ['allow', ['alignment', 'scim']],
      ['allow', ['alignment', 'scim']],
      ['forbid', ['scim']],
    ] as const) {
      const { data } = await told('accounts', word, 'alignment');
      deepEqual([data['id'], data['features']], [instance.bootstrap.organization_id, expected]);
    }
    equal((await run('accounts', 'allow', 'alignment', '--account', 'org_none')).code, 1);
  });

  test.each([
    ['without a name', ['--owner-email', 'a@b'], 2],
    ['of another kind', ['--name', 'x', '--owner-email', 'a@b', '--kind', 'club'], 2],
    ['with an address that is none', ['--name', 'x', '--owner-email', 'a'], 1],
    ['under an id that is taken', ['--name', 'x', '--owner-email', 'a@b', '--id', 'org_taken'], 1],
  ])('is not opened %s', async (_what, words, code) => {
    if (words.includes('org_taken'))
      await told('accounts', 'open', '--name', 'y', '--owner-email', 'a@b', '--id', 'org_taken');
    equal((await run('accounts', 'open', ...words)).code, code);
  });
});

describe('a member', () => {
  const rolesOf = async () => {
    const { body } = await manage(instance, '/organization/members');
    return Object.fromEntries(rowsOf(body).map(({ email, role }) => [email, role]));
  };

  test('is added, promoted, removed and comes back', async () => {
    const email = 'bob@example.com';
    const { data: added } = await told('members', 'add', '--email', email);
    deepEqual([added['role'], added['is_active']], ['member', true]);
    deepEqual((await told('members', 'add', '--email', email)).data, added);
    const id = text(added['id']);
    equal((await rolesOf())[email], 'org:member');
    equal((await told('members', 'role', id, 'admin')).data['role'], 'admin');
    equal((await rolesOf())[email], 'org:admin');
    const owned = await manage(instance, '/keys', {
      body: { name: 'bob', creator_user_id: id },
    });
    equal(owned.status, 201, JSON.stringify(owned.body));
    equal((await told('members', 'remove', id)).data['is_active'], false);
    equal((await rolesOf())[email], undefined);
    await within(
      async () => (await json(instance, '/key', { key: text(owned.body['key']) })).status,
      (status) => status === 401,
    );
    const back = await told('members', 'add', '--email', email);
    deepEqual([back.data['id'], back.data['role']], [id, 'member']);
    equal((await rolesOf())[email], 'org:member');
  });

  test.each([
    ['of another role', ['members', 'add', '--email', 'c@example.com', '--role', 'owner'], 2],
    ['without an address', ['members', 'add'], 2],
    ['to a role that there is not', ['members', 'role', 'user_x', 'owner'], 2],
    ['who is none', ['members', 'remove', 'user_nobody'], 1],
    ['of no account', ['members', 'add', '--email', 'c@d', '--account', 'org_nobody'], 1],
  ])('is refused %s', async (_what, words, code) => {
    equal((await run(...words)).code, code);
  });

  test('who owns the organization stays an admin', async () => {
    const { admin_user_id: owner } = instance.bootstrap;
    for (const words of [
      ['role', owner, 'member'],
      ['remove', owner],
    ]) {
      const { code, error } = await run('members', ...words);
      deepEqual(
        [code, error],
        [1, 'This is refused: The owner of an organization stays an active admin.\n'],
      );
    }
  });
});
