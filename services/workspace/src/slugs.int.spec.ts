import { deepEqual, equal, rejects } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Fault } from '@sluice/errors';
import type { EventStore } from '@sluice/es';
import { afterAll, beforeAll, describe, inject, test } from 'vitest';
import { claimMsMax } from './commands/take-slug.ts';
import {
  aContext,
  aWorkspace,
  workspaceWorld,
  type WorkspaceWorld,
} from './testing/workspace-world.ts';

let world: WorkspaceWorld;
beforeAll(async () => {
  world = await workspaceWorld({ postgresUrl: inject('postgresUrl') });
});
afterAll(() => world.stop());

const create = (slug: string, accountId = 'org_1') =>
  world.create({ slug, context: aContext(accountId) });
const rename = (workspaceRef: string, slug: string) =>
  world.client.updateWorkspace({
    context: aContext(),
    workspaceRef,
    name: undefined,
    slug,
    settings: undefined,
    changedSettings: [],
  });
const idOf = async (slug: string) =>
  (await world.client.getWorkspace({ accountId: 'org_1', workspaceId: slug })).workspace
    ?.workspaceId;
/** The codes of those that were refused, and how many were not. */
async function outcomes(attempts: readonly Promise<unknown>[]) {
  const settled = await Promise.allSettled(attempts);
  return {
    accepted: settled.filter(({ status }) => status === 'fulfilled').length,
    codes: new Set(
      settled.flatMap((each) =>
        each.status === 'rejected' && each.reason instanceof Fault ? [each.reason.code] : [],
      ),
    ),
  };
}

describe('a slug', () => {
  test('that 200 ask for at once is given to one', async () => {
    const { accepted, codes } = await outcomes(
      Array.from({ length: 200 }, () => create('wanted-by-all')),
    );
    equal(accepted, 1);
    deepEqual([...codes], ['conflict']);
  });

  test('that workspaces ask for which had others is given to one', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => world.create()));
    const { accepted, codes } = await outcomes(ids.map((id) => rename(id, 'renamed-to')));
    equal(accepted, 1);
    deepEqual([...codes], ['conflict']);
  });

  test('is each account’s own', async () => {
    await create('shared');
    await create('shared', 'org_2');
  });

  test('that was changed is free at once, and the new one is taken', async () => {
    const workspaceId = await create('before');
    await rename(workspaceId, 'after');
    equal(await idOf('after'), workspaceId);
    await rejects(idOf('before'), { code: 'not_found' });
    await rejects(create('after'), { code: 'conflict' });
    const other = await create('before');
    equal(await idOf('before'), other);
    await rejects(rename(workspaceId, 'before'), { code: 'conflict' });
  });

  test('can be taken back by the workspace that had it', async () => {
    const workspaceId = await create('here');
    await rename(workspaceId, 'there');
    await rename(workspaceId, 'here');
    await rename(workspaceId, 'here');
    await rejects(create('here'), { code: 'conflict' });
    await create('there');
  });

  test('of a deleted workspace is free at once', async () => {
    const workspaceRef = await create('doomed');
    const request = { context: aContext(), workspaceRef, confirmDefault: false };
    await world.client.deleteWorkspace(request);
    await create('doomed');
  });

  test('stays with its workspace when the command that asks for it is refused', async () => {
    const workspaceId = await create('steady');
    await rejects(
      world.client.updateWorkspace({
        context: aContext(),
        workspaceRef: workspaceId,
        name: '',
        slug: 'never-taken',
        settings: undefined,
        changedSettings: [],
      }),
      { code: 'invalid_request' },
    );
    await create('never-taken');
    equal(await idOf('steady'), workspaceId);
  });
});

describe('a process that dies between taking a slug and writing the workspace', () => {
  /** Refuses the next append to a workspace, as if the process had died before it. */
  function dyingOnce(eventStore: EventStore): EventStore {
    let dies = true;
    return {
      ...eventStore,
      append: (stream, ...rest) => {
        if (!dies || !stream.startsWith('workspace-')) return eventStore.append(stream, ...rest);
        dies = false;
        throw new Fault('event_store_unavailable');
      },
    };
  }
  const laterClock = (ms: number) => ({ now: () => new Date(Date.now() + ms) });

  test('has it when the command is sent again, and nobody got it meanwhile', async () => {
    await world.restart({ eventStore: dyingOnce(world.eventStore) });
    const request = aWorkspace({ slug: 'interrupted' });
    await rejects(world.client.createWorkspace(request), { code: 'event_store_unavailable' });
    await world.restart();
    await rejects(create('interrupted'), { code: 'conflict' });
    await world.client.createWorkspace(request);
    equal(await idOf('interrupted'), request.workspaceId);
    await world.restart({ clock: laterClock(claimMsMax + 1_000) });
    await rejects(create('interrupted'), { code: 'conflict' });
  });

  test('leaves it free after 30 s when the command never comes back', async () => {
    await world.restart({ eventStore: dyingOnce(world.eventStore) });
    await rejects(create('abandoned'), { code: 'event_store_unavailable' });
    await world.restart({ clock: laterClock(claimMsMax - 5_000) });
    await rejects(create('abandoned'), { code: 'conflict' });
    await world.restart({ clock: laterClock(claimMsMax + 1_000) });
    const { accepted, codes } = await outcomes(
      Array.from({ length: 20 }, () => create('abandoned')),
    );
    equal(accepted, 1);
    deepEqual([...codes], ['conflict']);
  });

  test('has not changed the slug of a workspace, and leaves the new one free after 30 s', async () => {
    await world.restart();
    const workspaceId = await create('as-it-was');
    await world.restart({ eventStore: dyingOnce(world.eventStore) });
    await rejects(rename(workspaceId, 'to-be'), { code: 'event_store_unavailable' });
    await world.restart({ clock: laterClock(claimMsMax + 1_000) });
    equal(await idOf('as-it-was'), workspaceId);
    await rejects(create('as-it-was'), { code: 'conflict' });
    await create('to-be');
    await rejects(rename(workspaceId, 'to-be'), { code: 'conflict' });
  });

  test('and a malformed id never become the name of a stream', async () => {
    await world.restart();
    await rejects(world.client.createWorkspace(aWorkspace({ workspaceId: `x-${randomUUID()}` })), {
      code: 'invalid_request',
    });
  });
});
