import { deepEqual, equal, match } from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AccountServiceService } from '@sluice/protos/sluice/account/v1/account';
import { beforeAll, beforeEach, describe, test } from 'vitest';
import { type Call, eventually, type Json, list, manage, text } from './http.ts';
import { insideOf, systemContext } from './inside.ts';
import { inSecondOrganization } from './organization.ts';
import { sharedInstance } from './shared/instance.ts';
import { directoriesOf, type Running } from './shared/setup.ts';

let instance: Running;
let other: Running;
beforeAll(async () => {
  instance = await sharedInstance({ kind: 'outward' });
  other = await inSecondOrganization(instance);
  for (const name of ['ada', 'bob', 'cy']) await joinAs(name);
});

const ask = (path: string, call: Call = {}, within = instance) => manage(within, path, call);

async function joinAs(name: string): Promise<void> {
  const inside = await insideOf(instance);
  try {
    await inside.connect(AccountServiceService, 'account').joinMember({
      context: systemContext(instance.bootstrap.organization_id),
      userId: `user_${name}`,
      email: `${name}@example.com`,
      firstName: name,
      role: 'member',
    });
  } finally {
    inside.close();
  }
}

/** The directory says this from now on. A person is active unless `inactive` has their name. */
async function say(groups: Readonly<Record<string, readonly string[]>>, inactive: string[] = []) {
  const names = ['ada', 'bob', 'cy', 'new'];
  const directory = {
    users: names.map((name) => ({
      id: `00u-${name}`,
      email: `${name}@example.com`,
      active: !inactive.includes(name),
    })),
    groups: Object.entries(groups).map(([name, members]) => ({
      id: `00g-${name}`,
      display_name: name,
      members: members.map((member) => `00u-${member}`),
    })),
  };
  const file = join(directoriesOf(instance), `${instance.bootstrap.organization_id}.json`);
  await writeFile(file, JSON.stringify(directory));
}

async function sync(within = instance): Promise<Json> {
  const { status, headers, body } = await ask('/scim/sync-jobs', { method: 'POST' }, within);
  equal(status, 202);
  equal(headers.get('retry-after'), '2');
  const location = text(headers.get('location'));
  equal(location, `/v1/scim/sync-jobs/${text(body['data']?.['id'])}`);
  const read = () => ask(location.slice('/v1'.length), {}, within);
  const finished = await eventually(read, (job) => job.body['data']?.['finished_at'] !== null);
  return finished.body['data'] ?? {};
}

const groupId = async (name: string) => {
  const groups = list((await ask('/scim/groups')).body['data']);
  return text(groups.find((group) => text(group['display_name']) === name)?.['id']);
};
const workspace = async (slug: string) => {
  const { status, body } = await ask('/workspaces', { body: { name: slug, slug } });
  equal(status, 201);
  return text(body['data']?.['id']);
};
const map = async (group: string, workspaceId: string, role = 'member') => {
  const body = { scim_group_id: await groupId(group), workspace_id: workspaceId, role };
  return ask('/scim/group-mappings', { body });
};
const members = async (workspaceId: string) => {
  const found = list((await ask(`/workspaces/${workspaceId}/members`)).body['data']);
  return found.map((member) => `${text(member['user_id'])} ${text(member['role'])}`).toSorted();
};
const untilMembers = (workspaceId: string, ...expected: readonly string[]) =>
  eventually(
    () => members(workspaceId),
    (found) => found.join() === expected.join(),
  );
const organizationMembers = async () =>
  list((await ask('/organization/members')).body['data']).map(({ id }) => text(id));

describe('the groups of a directory', () => {
  beforeEach(() => say({ Engineering: ['ada', 'bob', 'new'], Leads: ['ada'] }));

  test('are pulled by a job and listed by name', async () => {
    const job = await sync();
    deepEqual([job['status'], job['synced_groups'], job['error_message']], ['succeeded', 2, null]);
    const { body } = await ask('/scim/groups');
    deepEqual(
      list(body['data']).map((group) => [group['display_name'], group['organization_id']]),
      [
        ['Engineering', instance.bootstrap.organization_id],
        ['Leads', instance.bootstrap.organization_id],
      ],
    );
    equal(body['total_count'], 2);
  });

  test('open the workspaces that they are mapped to, with the highest role', async () => {
    await sync();
    const one = await workspace('one');
    equal((await map('Engineering', one)).status, 201);
    equal((await map('Engineering', one, 'admin')).status, 409);
    await untilMembers(one, 'user_ada member', 'user_bob member');
    equal((await map('Leads', one, 'admin')).status, 201);
    await untilMembers(one, 'user_ada admin', 'user_bob member');
    const remove = await ask(`/workspaces/${one}/members/remove`, {
      body: { user_ids: ['user_bob'] },
    });
    equal(remove.status, 400);
    await say({ Engineering: ['bob', 'cy'], Leads: ['ada'] });
    await sync();
    deepEqual(await members(one), ['user_ada admin', 'user_bob member', 'user_cy member']);
    await joinAs('new');
    await say({ Engineering: ['new'] });
    const job = await sync();
    equal(job['deleted_groups'], 1);
    deepEqual(await members(one), ['user_new member']);
  });

  test('let their members stay, or not, when a mapping is deleted', async () => {
    await sync();
    const [kept, left] = [await workspace('kept'), await workspace('left')];
    const remove = async (workspaceId: string, keepMembers: boolean) => {
      const { body } = await map('Leads', workspaceId, 'admin');
      await untilMembers(workspaceId, 'user_ada admin');
      const path = `/scim/group-mappings/${text(body['data']?.['id'])}`;
      equal((await ask(path, { method: 'DELETE' })).status, 400);
      const query = `?keep_members=${keepMembers}`;
      const deleted = await ask(`${path}${query}`, { method: 'DELETE' });
      deepEqual([deleted.status, deleted.body], [200, { deleted: true }]);
      equal((await ask(path)).status, 404);
    };
    await remove(kept, true);
    await remove(left, false);
    await untilMembers(left);
    deepEqual(await members(kept), ['user_ada admin']);
  });

  test('go out of a workspace that is deleted', async () => {
    await sync();
    const gone = await workspace('gone');
    await map('Leads', gone);
    await untilMembers(gone, 'user_ada member');
    equal((await ask(`/workspaces/${gone}`, { method: 'DELETE' })).status, 200);
    const mapped = async () =>
      list((await ask('/scim/group-mappings')).body['data']).map((one) => one['workspace_id']);
    await eventually(mapped, (found) => !found.map(String).includes(gone));
  });

  test('are none of another organization, whose directory does not know it', async () => {
    await sync();
    const job = await sync(other);
    equal(job['status'], 'failed');
    match(text(job['error_message']), /does not know this organization/);
    const scimGroupId = await groupId('Leads');
    deepEqual((await ask('/scim/groups', {}, other)).body, { data: [], total_count: 0 });
    const body = {
      scim_group_id: scimGroupId,
      workspace_id: other.bootstrap.workspace_id,
      role: 'member',
    };
    equal((await ask('/scim/group-mappings', { body }, other)).status, 404);
    const theirs = { ...body, workspace_id: other.bootstrap.workspace_id };
    equal((await ask('/scim/group-mappings', { body: theirs })).status, 404);
  });
});

describe('somebody whom the directory ends', () => {
  test('is no member any more, and the keys they made are disabled for good', async () => {
    await say({ Engineering: ['cy'] });
    await sync();
    const key = await ask('/keys', {
      body: {
        name: 'of cy',
        creator_user_id: 'user_cy',
        workspace_id: instance.bootstrap.workspace_id,
      },
    });
    equal(key.status, 201);
    const hash = text(key.body['data']?.['hash']);
    const isDisabled = async (): Promise<unknown> =>
      (await ask(`/keys/${hash}`)).body['data']?.['disabled'];
    await say({ Engineering: ['cy'] }, ['cy']);
    await sync();
    equal((await organizationMembers()).includes('user_cy'), false);
    await eventually(isDisabled, (disabled) => disabled === true);
    await say({ Engineering: ['cy'] });
    await sync();
    equal((await organizationMembers()).includes('user_cy'), true);
    equal(await isDisabled(), true);
  });
});
