import { deepEqual, equal } from 'node:assert/strict';
import { directoryStream, subjectFilters, subjects } from '@sluice/bus';
import { Fault } from '@sluice/errors';
import type { EventStore } from '@sluice/es';
import { eventually } from '@sluice/patience';
import {
  MemberDeactivated,
  WorkspaceDeleted,
  WorkspaceMemberRemoved,
} from '@sluice/protos/sluice/directory/v1/directory_events';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import { aContext, workspaceWorld, type WorkspaceWorld } from './testing/workspace-world.ts';

let world: WorkspaceWorld;
let deletions: WorkspaceDeleted[];
let removals: WorkspaceMemberRemoved[];
beforeEach(async () => {
  world = await workspaceWorld({ postgresUrl: inject('postgresUrl') });
  [deletions, removals] = [[], []];
  await world.bus.ensureStream(directoryStream);
  const listen = (filter: string, hear: (data: unknown) => void) =>
    void world.bus.consume({
      stream: directoryStream.name,
      durable: `test-${hear.name}`,
      filter,
      batchMax: 10,
      signal: new AbortController().signal,
      handle: async (messages) => {
        for (const { data } of messages) hear(data);
      },
    });
  listen(subjectFilters.workspaceDeleted, function deleted(data) {
    deletions.push(WorkspaceDeleted.fromJSON(data));
  });
  listen(subjectFilters.workspaceMemberRemoved, function removed(data) {
    removals.push(WorkspaceMemberRemoved.fromJSON(data));
  });
});
afterEach(() => world.stop());

const until = (check: () => void | Promise<void>) => eventually(check);
const membersOf = async (workspaceId: string) => {
  const rows = await world.database.query<{ userId: string }>({
    text: 'SELECT user_id AS "userId" FROM workspace_members WHERE workspace_id = $1 ORDER BY 1',
    values: [workspaceId],
  });
  return rows.map(({ userId }) => userId);
};
const add = (workspaceRef: string, userIds: string[]) =>
  world.client.addMembers({ context: aContext(), workspaceRef, userIds });
const remove = (workspaceRef: string) =>
  world.client.deleteWorkspace({ context: aContext(), workspaceRef, confirmDefault: false });
const deactivated = (userId: string, accountId = 'org_1') => {
  const occurredAt = '2026-01-02T03:04:05.678Z';
  const fact = { factId: `${accountId}/${userId}@3`, accountId, userId, occurredAt };
  return world.bus.publishFact(
    subjects.memberDeactivated(accountId),
    fact.factId,
    MemberDeactivated.toJSON(fact) as object,
  );
};
const eventsOf = async (workspaceId: string) =>
  (await Array.fromAsync(world.eventStore.read(`workspaceMembers-${workspaceId}`))).map(
    ({ type }) => type,
  );

/** Answers as the store does, but is lost after that many appends to members: what a crash is. */
function lostAfter(eventStore: EventStore, appends: number): EventStore {
  let left = appends;
  return {
    ...eventStore,
    append: async (stream, ...rest) => {
      if (!stream.startsWith('workspaceMembers-')) return eventStore.append(stream, ...rest);
      left -= 1;
      if (left >= 0) return eventStore.append(stream, ...rest);
      // Written, and the answer lost: the worst moment to die.
      if (left === -1) await eventStore.append(stream, ...rest);
      throw new Fault('event_store_unavailable');
    },
  };
}

describe('a workspace that is deleted', () => {
  test('is told, loses its members, and they are told', async () => {
    const workspaceId = await world.create();
    await add(workspaceId, ['ann', 'bob']);
    await remove(workspaceId);
    await until(() => equal(deletions.length, 1));
    const { factId, accountId, isDefault } = deletions[0] as WorkspaceDeleted;
    deepEqual([factId, accountId, isDefault], [`${workspaceId}@1`, 'org_1', false]);
    await until(async () => deepEqual(await membersOf(workspaceId), []));
    await until(() =>
      deepEqual(
        removals.map((fact) => [fact.workspaceId, fact.userId]),
        [
          [workspaceId, 'ann'],
          [workspaceId, 'bob'],
        ],
      ),
    );
  });

  test('is told also when the process died before it could say so', async () => {
    const workspaceId = await world.create();
    await add(workspaceId, ['bob']);
    world.bus.setConnected(false);
    await remove(workspaceId);
    await world.restart();
    equal(deletions.length, 0);
    world.bus.setConnected(true);
    await until(() => equal(deletions.length, 1));
    await until(() => equal(removals.length, 1));
  });

  test('loses its members once, wherever the process dies in between', async () => {
    const workspaceId = await world.create();
    await add(workspaceId, ['ann', 'bob']);
    await world.restart({ eventStore: lostAfter(world.eventStore, 0) });
    await remove(workspaceId);
    await until(async () => equal((await eventsOf(workspaceId)).length, 4));
    await world.restart();
    await until(async () => deepEqual(await membersOf(workspaceId), []));
    await until(() => deepEqual(world.service.unreadiness(), []));
    equal((await eventsOf(workspaceId)).length, 4);
    await until(() => equal(removals.length, 2));
  });
});

describe('who is no member of a workspace any more', () => {
  const directory = (workspaceId: string, userIds: readonly string[]) =>
    world.client.setDirectoryMemberships({
      context: aContext(),
      workspaceId,
      memberships: userIds.map((userId) => ({ userId, role: 'member' })),
    });

  test('is told of, unless they have access for another reason', async () => {
    const standard = await world.create({ isDefault: true });
    const other = await world.create();
    await directory(standard, ['bob']);
    await directory(standard, []);
    await directory(other, ['ann', 'bob']);
    await directory(other, []);
    await until(() =>
      deepEqual(
        removals.map((fact) => [fact.workspaceId, fact.userId]),
        [[other, 'bob']],
      ),
    );
  });

  test('loses it again when they were added while leaving the organization', async () => {
    const workspaceId = await world.create();
    const { members } = world.organization;
    // Between the question whether he is a member and the answer to the command.
    const eventStore: EventStore = {
      ...world.eventStore,
      append: (stream, ...rest) => {
        if (stream.startsWith('workspaceMembers-')) members.delete('bob');
        return world.eventStore.append(stream, ...rest);
      },
    };
    await world.restart({ eventStore });
    await add(workspaceId, ['ann', 'bob']);
    await until(async () => deepEqual(await membersOf(workspaceId), ['ann']));
    await until(() => equal(removals.length, 1));
  });
});

describe('a member of the organization who is deactivated', () => {
  test('loses the workspaces, and nobody else does', async () => {
    const [one, other] = [await world.create(), await world.create()];
    await add(one, ['ann', 'bob']);
    await add(other, ['bob']);
    await deactivated('bob', 'org_2');
    await deactivated('bob');
    await until(async () => deepEqual(await membersOf(one), ['ann']));
    await until(async () => deepEqual(await membersOf(other), []));
    await until(() =>
      deepEqual(new Set(removals.map((fact) => fact.workspaceId)), new Set([one, other])),
    );
  });

  test.each([0, 1])(
    'loses each of them once, wherever the process dies in between (append %d)',
    async (appends) => {
      const ids = [await world.create(), await world.create()];
      for (const id of ids) await add(id, ['bob']);
      for (const id of ids) await until(async () => deepEqual(await membersOf(id), ['bob']));
      await world.restart({ eventStore: lostAfter(world.eventStore, appends) });
      await deactivated('bob');
      await until(async () => {
        const written = await Promise.all(ids.map(eventsOf));
        equal(written.flat().length, 3 + appends);
      });
      await world.restart();
      for (const id of ids) await until(async () => deepEqual(await membersOf(id), []));
      for (const id of ids)
        deepEqual(await eventsOf(id), ['WorkspaceMemberAdded', 'WorkspaceMemberRemoved']);
      await until(() => equal(removals.length, 2));
    },
  );
});
