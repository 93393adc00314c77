import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import {
  gatewayWorld,
  organizationId,
  personalId,
  workspaceId,
} from '../../testing/gateway-world.ts';

const at = '2026-11-20T12:00:00.000Z';
const unknownId = '99999999-9999-4999-8999-999999999999';
const mappings = '/v1/scim/group-mappings';
const jobs = '/v1/scim/sync-jobs';

async function scimWorld() {
  const world = await gatewayWorld();
  const { secret: key } = world.management();
  const ask = (line: string, body?: object) =>
    world.request(line, body === undefined ? { key } : { key, body });
  const groupId = world.scim.group(organizationId, 'Engineering');
  const create = (changed: object = {}) =>
    ask(`POST ${mappings}`, {
      scim_group_id: groupId,
      workspace_id: workspaceId,
      role: 'member',
      ...changed,
    });
  const created = async () => (await create()).json['data'] as { id: string };
  return { ...world, ask, groupId, create, created };
}

describe('GET /v1/scim/groups', () => {
  test('lists the groups of the directory, a page at a time', async () => {
    const { ask, groupId, scim } = await scimWorld();
    scim.group('org_2', 'Theirs');
    scim.group(organizationId, 'Sales');
    const { status, json } = await ask('GET /v1/scim/groups?limit=1');
    equal(status, 200);
    const data = {
      id: groupId,
      organization_id: organizationId,
      display_name: 'Engineering',
      external_id: '00g-Engineering',
      created_at: at,
      updated_at: at,
    };
    deepEqual(json, { data: [data], total_count: 2 });
  });
});

describe('a mapping', () => {
  test('is made, read, listed, changed and deleted', async () => {
    const { ask, create, groupId } = await scimWorld();
    const made = await create();
    equal(made.status, 201);
    const { id } = made.json['data'] as { id: string };
    const data = {
      id,
      organization_id: organizationId,
      scim_group_id: groupId,
      workspace_id: workspaceId,
      role: 'member',
      created_at: at,
      updated_at: at,
    };
    deepEqual(made.json, { data });
    deepEqual((await ask(`GET ${mappings}/${id}`)).json, { data });
    deepEqual((await ask(`GET ${mappings}`)).json, { data: [data], total_count: 1 });
    const changed = await ask(`PATCH ${mappings}/${id}`, { role: 'admin' });
    deepEqual([changed.status, changed.json], [200, { data: { ...data, role: 'admin' } }]);
    const deleted = await ask(`DELETE ${mappings}/${id}?keep_members=false`);
    deepEqual([deleted.status, deleted.json], [200, { deleted: true }]);
    equal((await ask(`GET ${mappings}/${id}`)).status, 404);
  });

  test('is made once for a group and a workspace', async () => {
    const { create } = await scimWorld();
    equal((await create()).status, 201);
    equal((await create({ role: 'admin' })).status, 409);
  });

  test('of a group that is not there is not found', async () => {
    const { create } = await scimWorld();
    equal((await create({ scim_group_id: unknownId })).status, 404);
  });

  test('is deleted only when it was said whether its members stay', async () => {
    const { ask, created, create, scim } = await scimWorld();
    const { id } = await created();
    for (const query of ['', '?keep_members=', '?keep_members=1', '?keep_members=true&x=1'])
      equal((await ask(`DELETE ${mappings}/${id}${query}`)).status, 400, query);
    equal((await ask(`DELETE ${mappings}/${id}?keep_members=true`)).status, 200);
    const again = (await create()).json['data'] as { id: string };
    equal((await ask(`DELETE ${mappings}/${again.id}?keep_members=false`)).status, 200);
    deepEqual(scim.keptMembers, [true, false]);
  });

  test.each([
    { scim_group_id: 'x' },
    { scim_group_id: undefined },
    { workspace_id: 'default' },
    { workspace_id: null },
    { role: 'owner' },
    { role: undefined },
    { name: 'x' },
  ])('is refused with %j', async (wrong) => {
    const { create } = await scimWorld();
    equal((await create(wrong)).status, 400);
  });

  test('with an id that is none is refused where the contract says so, and else not found', async () => {
    const { ask } = await scimWorld();
    equal((await ask(`GET ${mappings}/x`)).status, 404);
    equal((await ask(`PATCH ${mappings}/x`, { role: 'admin' })).status, 400);
    equal((await ask(`DELETE ${mappings}/x?keep_members=true`)).status, 400);
    equal((await ask(`GET ${mappings}/${unknownId}`)).status, 404);
    equal((await ask(`PATCH ${mappings}/${unknownId}`, { role: 'admin' })).status, 404);
    equal((await ask(`DELETE ${mappings}/${unknownId}?keep_members=true`)).status, 404);
    equal((await ask(`PATCH ${mappings}/${unknownId}`, {})).status, 400);
  });
});

describe('a sync job', () => {
  test('is accepted, with where to look and when', async () => {
    const { ask } = await scimWorld();
    const { status, headers, json } = await ask(`POST ${jobs}`);
    equal(status, 202);
    const data = json['data'] as Record<string, unknown>;
    deepEqual(data, {
      id: data['id'],
      status: 'queued',
      created_at: at,
      started_at: null,
      finished_at: null,
      synced_groups: null,
      deleted_groups: null,
      error_message: null,
    });
    equal(headers['location'], `/v1/scim/sync-jobs/${String(data['id'])}`);
    equal(headers['retry-after'], '2');
    deepEqual((await ask(`GET ${headers['location']}`)).json, { data });
    deepEqual((await ask(`POST ${jobs}`)).json, { data });
  });

  test('says what it found, or what went wrong', async () => {
    const { ask, scim } = await scimWorld();
    const start = async () => (await ask(`POST ${jobs}`)).json['data'] as { id: string };
    const end = async (outcome: Parameters<typeof scim.finish>[1]) => {
      const { id } = await start();
      scim.finish(id, outcome);
      const { json } = await ask(`GET ${jobs}/${id}`);
      const data = json['data'] as Record<string, unknown>;
      return [data['status'], data['synced_groups'], data['deleted_groups'], data['error_message']];
    };
    const found = { status: 'succeeded', syncedGroups: 3, deletedGroups: 0 };
    deepEqual(await end(found), ['succeeded', 3, 0, null]);
    deepEqual(await end({ status: 'failed', errorMessage: 'no' }), ['failed', null, null, 'no']);
  });

  test('takes no body', async () => {
    const { ask } = await scimWorld();
    equal((await ask(`POST ${jobs}`, {})).status, 202);
    for (const body of [{ full: true }, [1]]) equal((await ask(`POST ${jobs}`, body)).status, 400);
  });

  test('that is another account’s, or none, is not found', async () => {
    const { ask } = await scimWorld();
    for (const id of ['x', unknownId]) equal((await ask(`GET ${jobs}/${id}`)).status, 404);
  });
});

test('directory groups are nothing for a personal account, for a regular key, nor where they were taken', async () => {
  const world = await scimWorld();
  const lines = [
    'GET /v1/scim/groups',
    `GET ${mappings}`,
    `POST ${mappings}`,
    `GET ${mappings}/${unknownId}`,
    `PATCH ${mappings}/${unknownId}`,
    `DELETE ${mappings}/${unknownId}`,
    `POST ${jobs}`,
    `GET ${jobs}/${unknownId}`,
  ];
  const statusesFor = async (key: string) => {
    const replies = await Promise.all(lines.map((line) => world.request(line, { key })));
    return new Set(replies.map(({ status }) => status));
  };
  const { secret: personal } = world.management({ accountId: personalId });
  const { secret: management } = world.management();
  deepEqual(await statusesFor(personal), new Set([404]));
  deepEqual(await statusesFor(world.regular().secret), new Set([403]));
  equal((await world.request('GET /v1/scim/groups', { key: management })).status, 200);
  world.accounts.takeScim(organizationId);
  world.clock.advance(5_000);
  deepEqual(await statusesFor(management), new Set([404]));
});
