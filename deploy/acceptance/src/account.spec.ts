import { deepEqual, equal } from 'node:assert/strict';
import { beforeAll, describe, test } from 'vitest';
import { AccountKind, AccountServiceService } from '@sluice/protos/sluice/account/v1/account';
import { KeyKind, KeyServiceService } from '@sluice/protos/sluice/key/v1/key';
import { list, manage, text } from './http.ts';
import { sharedInstance } from './shared/instance.ts';
import type { Running } from './shared/setup.ts';
import { inSecondOrganization } from './organization.ts';
import { insideOf, systemContext } from './inside.ts';

let instance: Running;
let other: Running;
/** A management key of a personal account. */
let personalKey: string;
beforeAll(async () => {
  instance = await sharedInstance();
  other = await inSecondOrganization(instance);
  personalKey = await personalManagementKey();
});

const personalId = 'user_personal';

async function personalManagementKey(): Promise<string> {
  const inside = await insideOf(instance);
  try {
    const account = inside.connect(AccountServiceService, 'account');
    await account.openAccount({
      context: systemContext(personalId),
      kind: AccountKind.ACCOUNT_KIND_PERSONAL,
      name: 'Somebody',
      ownerUserId: personalId,
      ownerEmail: 'somebody@example.com',
      defaultWorkspaceId: '2a1fd2b6-6a55-4f0b-9d4e-5a3a1f6b7c8d',
    });
    const key = inside.connect(KeyServiceService, 'key');
    const { secret } = await key.issueKey({
      context: systemContext(personalId),
      kind: KeyKind.KEY_KIND_MANAGEMENT,
      name: 'Personal',
      workspaceId: '',
      limitNanoUsd: undefined,
      includeByokInLimit: false,
      creatorUserId: personalId,
    });
    return secret;
  } finally {
    inside.close();
  }
}

const pathOf = (user: string) => `/end-users/${encodeURIComponent(user)}`;
const register = (user: string, within = instance) =>
  manage(within, '/end-users', { body: { user } });

describe('GET /organization/members', () => {
  test('shows the admin of the first start', async () => {
    const { status, body } = await manage(instance, '/organization/members');
    equal(status, 200);
    deepEqual(body, {
      data: [
        {
          id: instance.bootstrap.admin_user_id,
          email: 'admin@localhost',
          first_name: null,
          last_name: null,
          role: 'org:admin',
        },
      ],
      total_count: 1,
    });
  });
});

describe('/organization/settings', () => {
  test('are of the organization that the key belongs to', async () => {
    const settings = (on: boolean, { bootstrap }: Running) => ({
      data: { id: bootstrap.organization_id, is_filtered_model_catalog_enabled: on },
    });
    const change = { method: 'PATCH', body: { is_filtered_model_catalog_enabled: true } };
    const { status, body } = await manage(instance, '/organization/settings', change);
    deepEqual([status, body], [200, settings(true, instance)]);
    deepEqual((await manage(instance, '/organization/settings')).body, settings(true, instance));
    deepEqual((await manage(other, '/organization/settings')).body, settings(false, other));
  });
});

describe('/end-users', () => {
  test('are registered once, also when 200 requests do it at the same time', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 200 }, async () => (await register('customer-1')).status),
    );
    equal(statuses.filter((status) => status === 201).length, 1);
    equal(statuses.filter((status) => status === 409).length, 199);
    equal((await manage(instance, pathOf('customer-1'))).status, 200);
  });

  test('are found under their text, whatever it holds, and listed by code point', async () => {
    const users = ['b/c', 'é', 'e\u{301}', '%2F', '😀'.repeat(256)];
    for (const user of users) {
      const { status, body } = await register(user, other);
      deepEqual([status, text(body['data']?.['user'])], [201, user]);
      deepEqual((await manage(other, pathOf(user))).body, body);
    }
    const { body } = await manage(other, '/end-users');
    deepEqual(
      list(body['data']).map(({ user }) => user),
      ['%2F', 'b/c', 'e\u{301}', 'é', '😀'.repeat(256)],
    );
    const filtered = await manage(other, `/end-users?user=${encodeURIComponent('e\u{301}')}`);
    equal(filtered.body['total_count'], 1);
  });

  test('are deactivated, still known, and brought back by PATCH alone', async () => {
    await register('customer-2');
    for (const _ of [1, 2]) {
      const gone = await manage(instance, pathOf('customer-2'), { method: 'DELETE' });
      deepEqual([gone.status, gone.body], [204, null]);
    }
    const found = await manage(instance, pathOf('customer-2'));
    equal(found.body['data']?.['is_active'], false);
    equal((await register('customer-2')).status, 409);
    equal((await manage(instance, '/end-users?user=customer-2')).body['total_count'], 0);
    const inactive = '/end-users?user=customer-2&include_inactive=true';
    equal((await manage(instance, inactive)).body['total_count'], 1);
    const change = { method: 'PATCH', body: { is_active: true } };
    const back = await manage(instance, pathOf('customer-2'), change);
    deepEqual([back.status, back.body['data']?.['is_active']], [200, true]);
  });

  test('are nobody else’s', async () => {
    await register('customer-3');
    const change = { method: 'PATCH', body: { is_active: false } };
    for (const call of [{}, change, { method: 'DELETE' }])
      equal((await manage(other, pathOf('customer-3'), call)).status, 404);
    const found = await manage(instance, pathOf('customer-3'));
    equal(found.body['data']?.['is_active'], true);
  });
});

describe('what only organizations have', () => {
  const calls = [
    ['GET', '/organization/members'],
    ['GET', '/organization/settings'],
    ['PATCH', '/organization/settings'],
    ['GET', '/end-users'],
    ['POST', '/end-users'],
    ['GET', '/end-users/a'],
    ['PATCH', '/end-users/a'],
    ['DELETE', '/end-users/a'],
    ['GET', '/scim/groups'],
    ['GET', '/scim/group-mappings'],
    ['POST', '/scim/group-mappings'],
    ['POST', '/scim/sync-jobs'],
    ['GET', '/scim/sync-jobs/a'],
  ] as const;

  test('is not found by a personal account', async () => {
    for (const [method, path] of calls) {
      const { status, body } = await manage(instance, path, { method, key: personalKey });
      deepEqual([status, body['error']?.['message']], [404, 'Resource not found'], path);
    }
    equal((await manage(instance, '/credits', { key: personalKey })).status, 200);
  });

  test('is not for regular keys', async () => {
    for (const [method, path] of calls) {
      const { api_key: key } = instance.bootstrap;
      equal((await manage(instance, path, { method, key })).status, 403, path);
    }
  });
});
