import { deepEqual, equal, match, notEqual, rejects } from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Fault } from '@sluice/errors';
import { afterEach, beforeEach, describe, test } from 'vitest';
import { OrganizationRegistry } from '../testing/organization-registry.ts';
import { bootstrap } from './bootstrap.ts';

let dataDirectory: string;
beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'sluice-bootstrap-'));
  waited.length = 0;
});
afterEach(() => rm(dataDirectory, { recursive: true, force: true }));

const baseUrl = 'http://127.0.0.1:8080/v1';
const waited: string[] = [];
const onWaiting = (reason: string) => void waited.push(reason);
const start = (registry: OrganizationRegistry, url = baseUrl) =>
  bootstrap({ dataDirectory, creditsUsd: '12.5', ...registry.calls, onWaiting }, async () => url);
const fileOf = (name: string) => join(dataDirectory, name);

describe('the first start', () => {
  test('writes what it made to a file that only its owner may read', async () => {
    const registry = new OrganizationRegistry();
    const made = await start(registry);
    const written = JSON.parse(await readFile(fileOf('bootstrap.json'), 'utf8')) as object;
    deepEqual(written, made);
    deepEqual(Object.keys(written).toSorted(), [
      'admin_user_id',
      'api_key',
      'base_url',
      'management_key',
      'organization_id',
      'workspace_id',
    ]);
    equal((await stat(fileOf('bootstrap.json'))).mode & 0o777, 0o600);
    deepEqual([...registry.grantsNanoUsd.values()], [12_500_000_000n]);
    const plan = await readFile(fileOf('bootstrap.plan.json'), 'utf8');
    equal(plan.includes(made.api_key) || plan.includes(made.management_key), false);
  });

  test('that crashes anywhere is continued: one organization, one grant, two keys', async () => {
    const callsMax = 20;
    let crashes = 0;
    for (let calls = 0; calls < callsMax; calls += 1) {
      const registry = new OrganizationRegistry();
      registry.crashesAfterCalls = calls;
      const crashed = await start(registry).then(
        () => false,
        () => true,
      );
      crashes += Number(crashed);
      registry.crashesAfterCalls = Number.POSITIVE_INFINITY;
      const made = await start(registry);
      deepEqual([...registry.organizations], [made.organization_id]);
      deepEqual([...registry.workspaces], [made.workspace_id]);
      deepEqual([...registry.grantsNanoUsd.values()], [12_500_000_000n]);
      deepEqual(
        [...registry.keys.values()].map(({ secret }) => secret),
        [made.management_key, made.api_key],
      );
      await rm(dataDirectory, { recursive: true });
      dataDirectory = await mkdtemp(join(tmpdir(), 'sluice-bootstrap-'));
    }
    // Open, create, grant, ask, two keys: one crash after each, and the rest go through.
    equal(crashes, 6);
  });
});

describe('a first start while a part is away', () => {
  const away = () => new Fault('event_store_unavailable', { message: 'The event store is away' });
  const calls = ['open', 'create', 'grant', 'ask', 'first key', 'second key'];

  test.for(calls.map((name, before) => ({ name, before })))(
    'waits at: $name, says so once, and goes on by itself',
    async ({ before }) => {
      const registry = new OrganizationRegistry();
      registry.faults.push(...Array<undefined>(before), away(), away());
      const made = await start(registry);
      deepEqual(waited, ['The event store is away (event_store_unavailable)']);
      deepEqual([...registry.organizations], [made.organization_id]);
      deepEqual([...registry.workspaces], [made.workspace_id]);
      deepEqual([...registry.grantsNanoUsd.values()], [12_500_000_000n]);
      deepEqual(
        [...registry.keys.values()].map(({ secret }) => secret),
        [made.management_key, made.api_key],
      );
    },
  );

  test('deletes a key of a lost answer once, also if the answer to that is lost', async () => {
    const registry = new OrganizationRegistry();
    const beforeKeys = Array<undefined>(4);
    registry.faults.push(...beforeKeys, away(), ...beforeKeys, away());
    const made = await start(registry);
    deepEqual(
      [...registry.keys.values()].map(({ secret }) => secret),
      [made.management_key, made.api_key],
    );
  });

  test('ends when no waiting mends what is wrong', async () => {
    const registry = new OrganizationRegistry();
    registry.faults.push(new Fault('permission_denied'));
    await rejects(start(registry), { code: 'permission_denied' });
    deepEqual(waited, []);
  });
});

describe('a later start', () => {
  test('makes nothing and returns the same, at its own address', async () => {
    const registry = new OrganizationRegistry();
    const made = await start(registry);
    registry.crashesAfterCalls = 0;
    deepEqual(await start(registry), made);
    const moved = await start(registry, 'http://127.0.0.1:9090/v1');
    deepEqual(moved, { ...made, base_url: 'http://127.0.0.1:9090/v1' });
    match(await readFile(fileOf('bootstrap.json'), 'utf8'), /:9090/);
  });

  test('without bootstrap.json makes new keys for the same organization', async () => {
    const registry = new OrganizationRegistry();
    const made = await start(registry);
    await rm(fileOf('bootstrap.json'));
    const again = await start(registry);
    equal(again.organization_id, made.organization_id);
    notEqual(again.api_key, made.api_key);
    equal(registry.organizations.size, 1);
    equal(registry.grantsNanoUsd.size, 1);
  });

  test('with a damaged bootstrap.json says so', async () => {
    await writeFile(fileOf('bootstrap.json'), '{"base_url":""');
    await rejects(start(new OrganizationRegistry()), /bootstrap\.json is damaged/);
  });
});
