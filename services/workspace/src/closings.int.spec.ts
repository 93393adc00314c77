import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { Fault } from '@sluice/errors';
import type { EventStore } from '@sluice/es';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import { aContext, workspaceWorld, type WorkspaceWorld } from './testing/workspace-world.ts';

let world: WorkspaceWorld;
let workspaceId: string;
beforeEach(async () => {
  world = await workspaceWorld({ postgresUrl: inject('postgresUrl') });
  workspaceId = await world.create();
  await world.client.addMembers({
    context: aContext(),
    workspaceRef: workspaceId,
    userIds: ['ann', 'bob'],
  });
});
afterEach(() => world.stop());

const commands = [
  {
    what: 'a deletion',
    closed: () => ({ workspaceId, creatorUserIds: [] as string[] }),
    send: () =>
      world.client.deleteWorkspace({
        context: aContext(),
        workspaceRef: workspaceId,
        confirmDefault: false,
      }),
  },
  {
    what: 'a removal of members',
    closed: () => ({ workspaceId, creatorUserIds: ['bob'] }),
    send: () =>
      world.client.removeMembers({
        context: aContext(),
        workspaceRef: workspaceId,
        userIds: ['bob', 'stranger'],
      }),
  },
];
const open = () => [...world.organization.closings.values()];
const appending = (append: (store: EventStore) => EventStore['append']) =>
  world.restart({ eventStore: { ...world.eventStore, append: append(world.eventStore) } });

describe.each(commands)('$what', ({ closed, send }) => {
  test('is appended while the workspace is closed to new keys, and opens it then', async () => {
    const seen: unknown[] = [];
    await appending((store) => (...call) => {
      seen.push(...open());
      ok(call[3], 'nothing ends an append that takes too long');
      return store.append(...call);
    });
    await send();
    deepEqual(seen, [closed()]);
    deepEqual(open(), []);
  });

  test('that is refused opens it', async () => {
    await appending(() => () => Promise.reject(new Fault('stream_gone')));
    await rejects(send(), { code: 'stream_gone' });
    deepEqual(open(), []);
    world.organization.keys.push({ workspaceId, creator: 'bob' });
    await rejects(send(), { code: 'invalid_request' });
    deepEqual(open(), []);
  });

  test('whose outcome is unknown leaves it closed', async () => {
    await appending((store) => async (...call) => {
      await store.append(...call);
      throw new Fault('event_store_unavailable');
    });
    await rejects(send(), { code: 'event_store_unavailable' });
    deepEqual(open(), [closed()]);
  });

  test('does not depend on whether the key service opens it', async () => {
    const { directory } = world.organization;
    const endClosing = () => Promise.reject(new Fault('unavailable'));
    await world.restart({ directory: { ...directory, endClosing } });
    await send();
    equal(open().length, 1);
  });

  test('is unavailable while the key service is', async () => {
    const { directory } = world.organization;
    const beginClosing = () => Promise.reject(new Fault('unavailable'));
    await world.restart({ directory: { ...directory, beginClosing } });
    await rejects(send(), { code: 'unavailable' });
    const named = { accountId: 'org_1', workspaceId, userId: 'bob' };
    deepEqual(await world.client.getWorkspaceStatus(named), { isAlive: true, hasUser: true });
  });
});

describe('the status of a workspace', () => {
  const status = (userId: string, id = workspaceId, accountId = 'org_1') =>
    world.client.getWorkspaceStatus({ accountId, workspaceId: id, userId });
  const gone = { isAlive: false, hasUser: false };

  test('has the users with access: members that were added, and admins of the organization', async () => {
    await commands[1]?.send();
    deepEqual(await status('bob'), { isAlive: true, hasUser: false });
    deepEqual(await status('ann'), { isAlive: true, hasUser: true });
    deepEqual(await status('stranger'), { isAlive: true, hasUser: false });
    deepEqual(await status('ann', workspaceId, 'org_2'), gone);
    world.organization.members.delete('ann');
    deepEqual(await status('ann'), { isAlive: true, hasUser: false });
  });

  test('has everybody in a default workspace, and nobody in one that is deleted', async () => {
    const id = await world.create({ isDefault: true });
    deepEqual(await status('bob', id), { isAlive: true, hasUser: true });
    await commands[0]?.send();
    deepEqual(await status('ann'), gone);
  });
});
