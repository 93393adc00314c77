import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict';
import { beforeAll, describe, test } from 'vitest';
import { eventually, json, list, manage, text } from './http.ts';
import { sharedInstance } from './shared/instance.ts';
import type { Running } from './shared/setup.ts';
import { inSecondOrganization } from './organization.ts';

let sluice: Running;
let other: Running;
beforeAll(async () => {
  sluice = await sharedInstance();
  other = await inSecondOrganization(sluice);
});

const create = (slug: string, more: object = {}, instance = sluice) =>
  manage(instance, '/workspaces', { body: { name: `The ${slug}`, slug, ...more } });
const idOf = async (slug: string) => text((await create(slug)).body['data']?.['id']);
const patch = (reference: string, body: object, instance = sluice) =>
  manage(instance, `/workspaces/${reference}`, { method: 'PATCH', body });
const remove = (reference: string, instance = sluice) =>
  manage(instance, `/workspaces/${reference}`, { method: 'DELETE' });
const budget = (path: string, body?: object, instance = sluice) =>
  manage(instance, `/workspaces/${path}`, body ? { method: 'PUT', body } : {});

describe('workspaces', () => {
  test('are created, listed behind the default one, read, changed and deleted', async () => {
    const created = await create('research', { description: 'What comes next' });
    equal(created.status, 201);
    const { data } = created.body;
    equal(data?.['description'], 'What comes next');
    equal(data?.['updated_at'], null);
    match(text(data?.['default_guardrail_id']), /^[0-9a-f-]{14}5/);
    const listed = (await manage(sluice, '/workspaces')).body;
    const ids = list(listed['data']).map(({ id }) => id);
    equal(ids[0], sluice.bootstrap.workspace_id);
    ok(ids.includes(data?.['id']));
    equal(Number(listed['total_count']), ids.length);
    deepEqual((await manage(sluice, '/workspaces/research')).body, created.body);
    const changed = await patch('research', { slug: 'studies', description: null });
    deepEqual([changed.status, changed.body['data']?.['description']], [200, null]);
    notEqual(changed.body['data']?.['updated_at'], null);
    equal((await manage(sluice, '/workspaces/research')).status, 404);
    equal((await remove('studies')).status, 200);
    equal((await manage(sluice, `/workspaces/${text(data?.['id'])}`)).status, 404);
    equal((await create('studies')).status, 201);
  });

  test('have a model for requests that name none, from one request to the next', async () => {
    const workspace_id = await idOf('by-default');
    const { body } = await manage(sluice, '/keys', { body: { name: 'k', workspace_id } });
    const ask = async () => {
      const sent = { key: text(body['key']), body: { input: 'x' } };
      const { status, body: answer } = await json(sluice, '/responses', sent);
      return { status, model: text(answer['model'] ?? '') };
    };
    deepEqual(await ask(), { status: 400, model: '' });
    equal((await patch('by-default', { default_text_model: 'sim/chat' })).status, 200);
    await eventually(ask, ({ status, model }) => status === 200 && model === 'sim/chat');
    equal((await patch('by-default', { default_text_model: null })).status, 200);
    await eventually(ask, ({ status }) => status === 400);
  });

  test('of one slug that 200 ask for at once are one', async () => {
    const replies = await Promise.all(Array.from({ length: 200 }, () => create('wanted')));
    const counts = new Map<number, number>();
    for (const { status } of replies) counts.set(status, (counts.get(status) ?? 0) + 1);
    deepEqual(
      [...counts].toSorted(([one], [other_]) => one - other_),
      [
        [201, 1],
        [409, 199],
      ],
    );
    equal((await create('wanted', {}, other)).status, 201);
  });

  test('with keys stay until the keys are gone; the default one asks for a confirmation', async () => {
    const workspaceId = await idOf('with-keys');
    const key = await manage(sluice, '/keys', {
      body: { name: 'inside', workspace_id: workspaceId },
    });
    equal(key.status, 201);
    equal((await remove('with-keys')).status, 400);
    await manage(sluice, `/keys/${text(key.body['data']?.['hash'])}`, { method: 'DELETE' });
    await eventually(
      () => remove('with-keys'),
      ({ status }) => status === 200,
    );
    equal((await remove('default')).status, 400);
  });

  test('of another account are as unknown as those that never were', async () => {
    const id = await idOf('ours');
    for (const reference of [id, 'ours']) {
      equal((await manage(other, `/workspaces/${reference}`)).status, 404);
      equal((await patch(reference, { name: 'x' }, other)).status, 404);
      equal((await remove(reference, other)).status, 404);
      equal((await manage(other, `/workspaces/${reference}/members`)).status, 404);
      equal((await manage(other, `/workspaces/${reference}/budgets`)).status, 404);
      equal((await budget(`${reference}/budgets/daily`, { limit_usd: 1 }, other)).status, 404);
    }
    equal((await manage(sluice, '/workspaces/ours')).body['data']?.['name'], 'The ours');
  });

  test('are for management keys only', async () => {
    const { api_key: key } = sluice.bootstrap;
    equal((await manage(sluice, '/workspaces', { key })).status, 403);
    equal((await manage(sluice, '/workspaces', { key, body: {} })).status, 403);
  });
});

describe('the members of a workspace', () => {
  test('are those who were added; of the default one that is everybody', async () => {
    const { admin_user_id: admin, workspace_id: standard } = sluice.bootstrap;
    const everybody = (await manage(sluice, '/workspaces/default/members')).body;
    const [first] = list(everybody['data']);
    deepEqual([first?.['user_id'], first?.['role']], [admin, 'admin']);
    equal(first?.['workspace_id'], standard);
    await create('team');
    const path = '/workspaces/team/members';
    equal(Number((await manage(sluice, path)).body['total_count']), 0);
    const added = await manage(sluice, `${path}/add`, { body: { user_ids: [admin] } });
    deepEqual([added.status, added.body['added_count']], [200, 1]);
    deepEqual((await manage(sluice, path)).body['data'], added.body['data']);
    const unknown = { body: { user_ids: [admin, 'user_nobody'] } };
    equal((await manage(sluice, `${path}/add`, unknown)).status, 400);
    const removed = await manage(sluice, `${path}/remove`, unknown);
    deepEqual([removed.status, removed.body['removed_count']], [200, 1]);
    const fromDefault = { body: { user_ids: [admin] } };
    equal((await manage(sluice, '/workspaces/default/members/remove', fromDefault)).status, 400);
  });
});

describe('the budgets of a workspace', () => {
  test('fall strictly as their windows narrow, and are read as they were set', async () => {
    await create('spending');
    const path = 'spending/budgets';
    equal((await budget(`${path}/daily`)).status, 404);
    const set = await budget(`${path}/daily`, { limit_usd: 1.5, include_byok_in_budgets: true });
    deepEqual(
      [set.status, set.body['data']?.['limit_usd'], set.body['include_byok_in_budgets']],
      [200, 1.5, true],
    );
    deepEqual((await budget(`${path}/daily`)).body, set.body);
    const wrong = await budget(`${path}/weekly`, { limit_usd: 1.5 });
    equal(wrong.status, 400);
    match(
      text(wrong.body['error']?.['message']),
      /weekly limit of \$1\.5 .* daily limit of \$1\.5/,
    );
    equal((await budget(`${path}/lifetime`, { limit_usd: 3 })).status, 200);
    const listed = (await budget(path)).body;
    deepEqual(
      list(listed['data']).map((one) => [one['reset_interval'], one['limit_usd']]),
      [
        [null, 3],
        ['daily', 1.5],
      ],
    );
    const raised = await budget(`${path}/daily`, { limit_usd: 2 });
    equal(raised.body['data']?.['id'], set.body['data']?.['id']);
    for (const _ of [1, 2]) {
      const gone = await manage(sluice, `/workspaces/${path}/daily`, { method: 'DELETE' });
      deepEqual([gone.status, gone.body['deleted']], [200, true]);
    }
    equal(
      (await manage(sluice, '/workspaces/spending')).body['data']?.['include_byok_in_budgets'],
      true,
    );
  });
});

describe('the default workspace of an account', () => {
  test('takes its keys along when it is deleted, and leaves those who manage', async () => {
    const { api_key: key } = other.bootstrap;
    const ask = async () =>
      (await json(other, '/responses', { key, body: { model: 'sim/echo', input: 'x' } })).status;
    equal(await ask(), 200);
    const confirmed = '/workspaces/default?confirm_default_workspace_deletion=true';
    const deleted = await manage(other, confirmed, { method: 'DELETE' });
    deepEqual([deleted.status, deleted.body['deleted']], [200, true]);
    await eventually(ask, (status) => status === 401);
    equal((await manage(other, '/workspaces/default')).status, 404);
    equal((await manage(other, '/workspaces')).status, 200);
    equal((await manage(other, '/keys')).status, 400);
    equal((await manage(other, '/keys', { body: { name: 'nowhere' } })).status, 400);
    const next = text((await create('default', {}, other)).body['data']?.['id']);
    const made = await manage(other, '/keys', { body: { name: 'somewhere', workspace_id: next } });
    equal(made.status, 201);
    equal((await manage(sluice, '/workspaces/default')).status, 200);
  });
});
