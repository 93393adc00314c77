import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { until } from '@sluice/patience';
import type { SavePresetRequest } from '@sluice/protos/sluice/workspace/v1/preset';
import { afterAll, beforeAll, describe, inject, test } from 'vitest';
import { aContext, workspaceWorld, type WorkspaceWorld } from './testing/workspace-world.ts';

let world: WorkspaceWorld;
let workspaceRef: string;
beforeAll(async () => {
  world = await workspaceWorld({ postgresUrl: inject('postgresUrl') });
  workspaceRef = await world.create();
});
afterAll(() => world.stop());

const accountId = 'org_1';
const save = (slug: string, body: object, more: Partial<SavePresetRequest> = {}) =>
  world.client.savePreset({
    context: aContext(),
    workspaceRef,
    slug,
    format: 'responses',
    body: JSON.stringify(body),
    creatorUserId: 'ann',
    ...more,
  });
const unchanged = {
  name: undefined,
  description: undefined,
  status: undefined,
  designatedVersion: undefined,
};
const update = (slug: string, more: Partial<typeof unchanged> | object) =>
  world.client.updatePreset({ context: aContext(), workspaceRef, slug, ...unchanged, ...more });
const get = (slug: string, version?: number) =>
  world.client.getPreset({ accountId, workspaceRef, slug, version });
const resolve = (slug: string, more: object = {}) =>
  world.client.resolvePreset({ accountId, workspaceId: workspaceRef, slug, ...more });

describe('a preset', () => {
  test('that was saved can be read, listed and resolved at once', async () => {
    const body = { model: 'sim/echo', temperature: 0, instructions: 'Be brief.', input: 'x' };
    const saved = await save('first', body);
    const { preset, version } = saved;
    ok(preset && version);
    const { slug, name, status, designatedVersion, versionCount, creatorUserId } = preset;
    deepEqual(
      { slug, name, status, designatedVersion, versionCount, creatorUserId },
      {
        slug: 'first',
        name: 'first',
        status: 'active',
        designatedVersion: 1,
        versionCount: 1,
        creatorUserId: 'ann',
      },
    );
    equal(preset.designatedVersionId, version.versionId);
    deepEqual(JSON.parse(version.config), { model: 'sim/echo', temperature: 0 });
    equal(version.systemPrompt, 'Be brief.');
    deepEqual(await get('first'), saved);
    const resolved = await resolve('first');
    deepEqual(resolved, { presetId: preset.presetId, version });
    const page = { accountId, workspaceRef, offset: 0, limit: 100 };
    const { presets } = await world.client.listPresets(page);
    ok(presets.some(({ presetId }) => presetId === preset.presetId));
  });

  test('gets versions, the last of which requests have, until another is designated', async () => {
    await save('versions', { temperature: 0 });
    await save('versions', { temperature: 0 });
    const second = await save('versions', { temperature: 1 });
    equal(second.version?.version, 2);
    deepEqual(JSON.parse((await resolve('versions')).version?.config ?? ''), { temperature: 1 });
    const before = await update('versions', { designatedVersion: 1 });
    equal(before.preset?.designatedVersion, 1);
    deepEqual(JSON.parse((await resolve('versions')).version?.config ?? ''), { temperature: 0 });
    equal((await get('versions', 2)).version?.version, 2);
    await rejects(get('versions', 3), { code: 'not_found' });
    await rejects(update('versions', { designatedVersion: 3 }), { code: 'invalid_request' });
    const page = { accountId, workspaceRef, slug: 'versions', offset: 0, limit: 1 };
    const { versions, totalCount } = await world.client.listPresetVersions(page);
    deepEqual([versions.map(({ version }) => version), totalCount], [[2], 2]);
  });

  test('that is not active is resolved for no request', async () => {
    await save('paused', {});
    const { preset } = await update('paused', { status: 'disabled', description: 'x' });
    deepEqual([preset?.status, preset?.description], ['disabled', 'x']);
    ok(preset?.statusUpdatedAt);
    await rejects(resolve('paused'), { code: 'not_found' });
    const again = await update('paused', { status: 'active', description: '', name: 'Named' });
    deepEqual([again.preset?.description, again.preset?.name], [undefined, 'Named']);
    ok(await resolve('paused'));
    await rejects(update('paused', { status: 'gone' }), { code: 'invalid_request' });
  });

  test('of another account or workspace is not found', async () => {
    await save('own', {});
    const other = await world.create();
    const { client } = world;
    for (const asked of [
      { accountId: 'org_2', workspaceRef },
      { accountId, workspaceRef: other },
      { accountId, workspaceRef: randomUUID() },
    ])
      await rejects(client.getPreset({ ...asked, slug: 'own', version: undefined }), {
        code: 'not_found',
      });
    for (const asked of [
      { accountId: 'org_2' },
      { workspaceId: other },
      { workspaceId: 'default' },
      { slug: 'none' },
      { slug: '../own' },
    ])
      await rejects(resolve('own', asked), { code: 'not_found' });
    const context = aContext('org_2');
    await rejects(save('own', {}, { context }), { code: 'not_found' });
    await rejects(client.updatePreset({ context, workspaceRef, slug: 'own', ...unchanged }), {
      code: 'not_found',
    });
    // The same slug in another workspace is another preset.
    const there = await save('own', {}, { workspaceRef: other });
    const here = await get('own');
    ok(there.preset?.presetId !== here.preset?.presetId);
  });

  test.each([
    ['format', { format: 'embeddings' }],
    ['slug', { slug: 'No' }],
    ['', { body: 'null' }],
    ['', { body: '{' }],
    ['temperature', { body: '{"temperature":9}' }],
  ])('is refused by the place of its %s: %j', async (path, more) => {
    await rejects(save('wrong', {}, more), (error: { metadata?: { issues?: unknown } }) => {
      const issues = error.metadata?.issues as readonly { path: string }[] | undefined;
      equal(issues?.[0]?.path, path);
      return true;
    });
  });

  test('that is saved again under the same command is one version', async () => {
    const context = aContext();
    await save('again', { temperature: 0 }, { context });
    await save('again', { temperature: 1 });
    await save('again', { temperature: 0 }, { context });
    equal((await get('again')).preset?.versionCount, 2);
  });

  test('is archived when its workspace is deleted', async () => {
    const gone = await world.create();
    await save('gone', {}, { workspaceRef: gone });
    const { presetId } = (await save('gone', {}, { workspaceRef: gone })).preset ?? {};
    const alias = { workspaceRef: gone, name: 'team/gone', models: ['a/b'] };
    await world.client.setModelAlias({
      context: aContext(),
      ...alias,
      budgetModel: '',
      description: '',
    });
    const context = aContext();
    await world.client.deleteWorkspace({ context, workspaceRef: gone, confirmDefault: false });
    await until(async () => {
      const events = await Array.fromAsync(world.eventStore.read(`preset-${presetId ?? ''}`));
      const last = events.at(-1)?.data as { changes?: { status?: string } } | undefined;
      const { aliases } = await world.client.listModelAliases({ accountId });
      return (
        last?.changes?.status === 'archived' && !aliases.some(({ name }) => name === 'team/gone')
      );
    });
  });
});
