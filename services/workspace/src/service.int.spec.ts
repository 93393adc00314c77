import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { eventually } from '@sluice/patience';
import { defaultGuardrailId } from '@sluice/policy';
import { WorkspaceSettings } from '@sluice/protos/sluice/workspace/v1/workspace';
import { afterAll, beforeAll, describe, inject, test } from 'vitest';
import {
  aContext,
  aWorkspace,
  goneId,
  workspaceWorld,
  type WorkspaceWorld,
} from './testing/workspace-world.ts';

let world: WorkspaceWorld;
beforeAll(async () => {
  world = await workspaceWorld({ postgresUrl: inject('postgresUrl') });
});
afterAll(() => world.stop());

const get = (workspaceId: string, accountId = 'org_1') =>
  world.client.getWorkspace({ accountId, workspaceId });
const settings: WorkspaceSettings = {
  description: 'What comes next',
  defaultTextModel: 'sim/echo',
  defaultImageModel: 'sim/image',
  defaultProviderSort: 'exacto',
  isObservabilityIoLoggingEnabled: true,
  ioLoggingSamplingRate: 0.25,
  ioLoggingApiKeyIds: { ids: [7n, 9n] },
  isObservabilityBroadcastEnabled: true,
  isDataDiscountLoggingEnabled: true,
  disabledServerTools: ['service:bash', 'service:web_search'],
  defaultPlugins: [{ settings: '{"id":"moderation"}', preventsOverrides: true }],
};
const update = {
  name: undefined,
  slug: undefined,
  settings: undefined,
  changedSettings: [],
};

describe('a workspace', () => {
  test('of an account that is gone is not made, as after the event store was emptied', async () => {
    const request = aWorkspace({ context: aContext(goneId) });
    await rejects(world.client.createWorkspace(request), { code: 'not_found' });
    const byDefault = { ...request, isDefault: true, context: aContext(goneId) };
    ok((await world.client.createWorkspace(byDefault)).workspace);
  });

  test('that was created can be read at once by its id and its slug, by its own account only', async () => {
    const slug = 'by-slug';
    const request = aWorkspace({ slug, settings, createdBy: 'ann' });
    const created = await world.client.createWorkspace(request);
    const { workspaceId } = request;
    deepEqual(created.workspace?.settings, settings);
    equal(created.workspace.createdBy, 'ann');
    equal(created.workspace.updatedAt, undefined);
    equal(created.workspace.defaultGuardrailId, defaultGuardrailId(workspaceId));
    deepEqual(await get(workspaceId), created);
    deepEqual(await get(workspaceId.toUpperCase()), created);
    deepEqual(await get(slug), created);
    await eventually(() => deepEqual(world.service.unreadiness(), []));
    await rejects(get(workspaceId, 'org_2'), { code: 'not_found' });
    await rejects(get(slug, 'org_2'), { code: 'not_found' });
  });

  test('created again is answered the same', async () => {
    const request = aWorkspace();
    const created = await world.client.createWorkspace(request);
    deepEqual(await world.client.createWorkspace(request), created);
    deepEqual(await world.client.createWorkspace({ ...request, context: aContext() }), created);
  });

  test('with malformed values is refused with the issues', async () => {
    const request = aWorkspace({ workspaceId: 'x', name: '', slug: 'A' });
    await rejects(world.client.createWorkspace(request), (error: Error & { metadata?: object }) => {
      deepEqual(
        (error.metadata as { issues: { path: string }[] }).issues.map(({ path }) => path),
        ['workspace_id', 'name', 'slug'],
      );
      return true;
    });
  });

  test('has a plugin in beta as a default only if its account is admitted', async () => {
    const text = '{"id":"alignment","rules":["Be kind."]}';
    const aligned = { ...settings, defaultPlugins: [{ settings: text, preventsOverrides: false }] };
    const workspaceId = await world.create({ settings });
    const change = () =>
      world.client.updateWorkspace({
        ...update,
        context: aContext(),
        workspaceRef: workspaceId,
        settings: aligned,
        changedSettings: ['default_plugins'],
      });
    const refused = {
      code: 'permission_denied',
      message:
        'default_plugins[0].id: the account is not admitted to the beta of the plugin alignment',
    };
    await rejects(change(), refused);
    await rejects(world.client.createWorkspace(aWorkspace({ settings: aligned })), refused);
    world.organization.usesAlignment = true;
    try {
      equal((await change()).workspace?.settings?.defaultPlugins[0]?.settings, text);
    } finally {
      world.organization.usesAlignment = false;
    }
  });

  test('that nobody created, or whose name is none, is not found', async () => {
    for (const workspaceId of [randomUUID(), 'nobody-made-it', 'A B', ''])
      await rejects(get(workspaceId), { code: 'not_found' });
  });

  test('changes what is named and nothing else', async () => {
    const workspaceId = await world.create({ settings });
    const { workspace } = await world.client.updateWorkspace({
      ...update,
      context: aContext(),
      workspaceRef: workspaceId,
      name: 'Other',
      settings: WorkspaceSettings.fromJSON({ ioLoggingSamplingRate: 0.5 }),
      changedSettings: ['description', 'io_logging_sampling_rate'],
    });
    deepEqual(workspace?.settings, {
      ...settings,
      description: undefined,
      ioLoggingSamplingRate: 0.5,
    });
    equal(workspace.name, 'Other');
    ok((workspace.updatedAt ?? '') > workspace.createdAt);
    deepEqual(await get(workspaceId), { workspace });
    const unknown = { ...update, context: aContext(), workspaceRef: workspaceId };
    await rejects(world.client.updateWorkspace({ ...unknown, changedSettings: ['created_by'] }), {
      code: 'invalid_request',
    });
    const foreign = { ...update, context: aContext('org_2'), workspaceRef: workspaceId };
    await rejects(world.client.updateWorkspace({ ...foreign, name: 'Mine' }), {
      code: 'not_found',
    });
  });

  test('is listed with the others of its account, the default one first', async () => {
    const accountId = 'org_listed';
    const context = () => aContext(accountId);
    const first = await world.create({ context: context() });
    const standard = await world.create({ context: context(), isDefault: true });
    const last = await world.create({ context: context() });
    const page = (offset: number, limit: number) =>
      world.client.listWorkspaces({ accountId, offset, limit });
    const ids = async (offset: number, limit: number) =>
      (await page(offset, limit)).workspaces.map(({ workspaceId }) => workspaceId);
    deepEqual(await ids(0, 100), [standard, first, last]);
    deepEqual(await ids(1, 1), [first]);
    deepEqual(await page(9, 1), { workspaces: [], totalCount: 3 });
    await rejects(page(0, 0), { code: 'invalid_request' });
    await rejects(page(0, 101), { code: 'invalid_request' });
  });
});

describe('deleting a workspace', () => {
  const remove = (workspaceRef: string, confirmDefault = false, accountId = 'org_1') =>
    world.client.deleteWorkspace({ context: aContext(accountId), workspaceRef, confirmDefault });

  test('is refused while it has keys', async () => {
    const workspaceId = await world.create();
    world.organization.keys.push({ workspaceId, creator: 'ann' });
    await rejects(remove(workspaceId), {
      code: 'invalid_request',
      message: 'id: the workspace has 1 API key: delete them first',
    });
    world.organization.keys.pop();
    await remove(workspaceId);
    await rejects(get(workspaceId), { code: 'not_found' });
    await rejects(remove(workspaceId), { code: 'not_found' });
  });

  test('of another account is not found', async () => {
    const workspaceId = await world.create();
    await rejects(remove(workspaceId, true, 'org_2'), { code: 'not_found' });
    await get(workspaceId);
  });

  test('that is the default one asks for a confirmation, not for its keys', async () => {
    const workspaceId = await world.create({ isDefault: true });
    world.organization.keys.push({ workspaceId, creator: 'ann' });
    await rejects(remove(workspaceId), { code: 'invalid_request' });
    await remove(workspaceId, true);
    await rejects(get(workspaceId), { code: 'not_found' });
  });
});
