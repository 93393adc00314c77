import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { gatewayWorld, organizationId, personalId } from '../../testing/gateway-world.ts';

const notFound = {
  error: { code: 404, message: 'Resource not found', metadata: { error_type: 'not_found' } },
};

describe('a route that only organizations have', () => {
  test('is none for a personal account, whatever else is wrong with the request', async () => {
    const world = await gatewayWorld();
    const { secret: key } = world.management({ accountId: personalId });
    for (const url of ['/v1/organization/members', '/v1/organization/members?limit=x']) {
      const { status, json } = await world.request(`GET ${url}`, { key });
      equal(status, 404);
      deepEqual(json, notFound);
    }
  });

  test('is refused to a regular key before anybody asks whose it is', async () => {
    const world = await gatewayWorld();
    for (const accountId of [organizationId, personalId]) {
      const { secret: key } = world.regular({ accountId });
      equal((await world.request('GET /v1/organization/members', { key })).status, 403);
    }
    equal(world.accounts.asked(), 0);
  });

  test('asks for the account once', async () => {
    const world = await gatewayWorld();
    const { secret: key } = world.management();
    for (const _ of [1, 2, 3])
      equal((await world.request('GET /v1/organization/members', { key })).status, 200);
    equal(world.accounts.asked(), 1);
  });
});

describe('GET /v1/organization/members', () => {
  test('lists the active members, a page at a time', async () => {
    const world = await gatewayWorld();
    const { secret: key } = world.management();
    world.accounts.join(organizationId, { userId: 'user_1', role: 'admin', firstName: 'Ada' });
    world.accounts.join(organizationId, { userId: 'user_3', isActive: false });
    world.accounts.join(organizationId, { userId: 'user_4', lastName: 'Lovelace' });
    world.accounts.join('org_2', { userId: 'user_5' });
    const all = await world.request('GET /v1/organization/members', { key });
    equal(all.status, 200);
    const ada = {
      id: 'user_1',
      email: 'user_1@example.com',
      first_name: 'Ada',
      last_name: null,
      role: 'org:admin',
    };
    const other = {
      id: 'user_4',
      email: 'user_4@example.com',
      first_name: null,
      last_name: 'Lovelace',
      role: 'org:member',
    };
    deepEqual(all.json, { data: [ada, other], total_count: 2 });
    const page = await world.request('GET /v1/organization/members?offset=1&limit=1', { key });
    deepEqual(page.json, { data: [other], total_count: 2 });
    const past = await world.request('GET /v1/organization/members?offset=2', { key });
    deepEqual(past.json, { data: [], total_count: 2 });
  });

  test.each(['limit=0', 'limit=101', 'limit=1.5', 'limit=', 'offset=-1', 'offset=a', 'page=1'])(
    'is refused with %s',
    async (query) => {
      const world = await gatewayWorld();
      const { secret: key } = world.management();
      equal((await world.request(`GET /v1/organization/members?${query}`, { key })).status, 400);
    },
  );
});

describe('/v1/organization/settings', () => {
  const url = '/v1/organization/settings';
  const settings = (isFiltered: boolean) => ({
    data: { id: organizationId, is_filtered_model_catalog_enabled: isFiltered },
  });

  test('are off at first, then as they were set', async () => {
    const world = await gatewayWorld();
    const { secret: key } = world.management();
    deepEqual((await world.request(`GET ${url}`, { key })).json, settings(false));
    for (const isFiltered of [true, true, false]) {
      const body = { is_filtered_model_catalog_enabled: isFiltered };
      const changed = await world.request(`PATCH ${url}`, { key, body });
      equal(changed.status, 200);
      deepEqual(changed.json, settings(isFiltered));
      deepEqual((await world.request(`GET ${url}`, { key })).json, settings(isFiltered));
    }
  });

  test.each([
    undefined,
    {},
    [],
    { is_filtered_model_catalog_enabled: null },
    { is_filtered_model_catalog_enabled: 'true' },
    { is_filtered_model_catalog_enabled: true, name: 'x' },
  ])('change by no other body: %o', async (body) => {
    const world = await gatewayWorld();
    const { secret: key } = world.management();
    const changed = await world.request(
      `PATCH ${url}`,
      body === undefined ? { key } : { key, body },
    );
    equal(changed.status, 400);
    deepEqual((await world.request(`GET ${url}`, { key })).json, settings(false));
  });

  test('are none of a personal account, and nothing for a regular key', async () => {
    const world = await gatewayWorld();
    const personal = world.management({ accountId: personalId }).secret;
    const regular = world.regular().secret;
    const body = { is_filtered_model_catalog_enabled: true };
    for (const request of [{ line: `GET ${url}` }, { line: `PATCH ${url}`, body }]) {
      const { line, ...rest } = request;
      equal((await world.request(line, { key: personal, ...rest })).status, 404);
      equal((await world.request(line, { key: regular, ...rest })).status, 403);
    }
  });
});
