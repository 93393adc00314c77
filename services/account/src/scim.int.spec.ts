import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Fault } from '@sluice/errors';
import type { EventStore } from '@sluice/es';
import { eventually } from '@sluice/patience';
import { WorkspaceDeleted } from '@sluice/protos/sluice/directory/v1/directory_events';
import { subjects } from '@sluice/bus';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import {
  aContext,
  type AccountWorld,
  accountWorld,
  organizationId as accountId,
  personalId,
} from './testing/account-world.ts';

const one = '0190a000-0000-7000-8000-0000000000a1';
const two = '0190a000-0000-7000-8000-0000000000a2';
let world: AccountWorld;
beforeEach(async () => {
  world = await accountWorld({ postgresUrl: inject('postgresUrl') });
  await world.open();
  for (const workspaceId of [one, two]) world.workspaces.add(accountId, workspaceId);
});
afterEach(() => world.stop());

const page = { offset: 0, limit: 100 };
const request = async () => {
  const { job } = await world.scim.requestSync({ context: aContext() });
  ok(job);
  return job;
};
const finished = (jobId: string) =>
  eventually(async () => {
    const { job } = await world.scim.getSyncJob({ accountId, jobId });
    ok(job?.finishedAt !== undefined, `the job is ${job?.status}`);
    return job;
  });
const sync = async () => finished((await request()).jobId);
const groupId = async (name: string) => {
  const { groups } = await world.scim.listGroups({ accountId, ...page });
  return groups.find(({ displayName }) => displayName === name)?.groupId ?? '';
};
const map = async (group: string, workspaceId: string, role = 'member') => {
  const { mapping } = await world.scim.createMapping({
    context: aContext(),
    groupId: await groupId(group),
    workspaceId,
    role,
  });
  ok(mapping);
  return mapping;
};
const mappings = async () => (await world.scim.listMappings({ accountId, ...page })).mappings;
const unmap = (mappingId: string, keepMembers: boolean) =>
  world.scim.deleteMapping({ context: aContext(), mappingId, keepMembers });
const untilIn = (workspaceId: string, ...members: readonly string[]) =>
  eventually(() => deepEqual(world.workspaces.members(workspaceId), members));
const isActive = async (userId: string) => {
  const { members } = await world.accounts.getMembers({ accountId, userIds: [userId] });
  return members[0]?.isActive;
};

describe('a sync job', () => {
  test('waits, runs and succeeds with what it found', async () => {
    world.directory.say({ Engineering: ['ada'], Sales: [] });
    const requested = await request();
    const { status, startedAt, finishedAt } = requested;
    deepEqual([status, startedAt, finishedAt], ['queued', undefined, undefined]);
    deepEqual([requested.syncedGroups, requested.errorMessage], [undefined, undefined]);
    const job = await finished(requested.jobId);
    deepEqual([job.status, job.syncedGroups, job.deletedGroups], ['succeeded', 2, 0]);
    equal(job.errorMessage, undefined);
    ok(job.startedAt !== undefined && job.finishedAt !== undefined);
    ok(job.createdAt <= job.startedAt && job.startedAt <= job.finishedAt);
    const { groups, totalCount } = await world.scim.listGroups({ accountId, ...page });
    deepEqual(
      groups.map(({ displayName, externalId }) => [displayName, externalId]),
      [
        ['Engineering', '00g-Engineering'],
        ['Sales', '00g-Sales'],
      ],
    );
    equal(totalCount, 2);
  });

  test('is the one that is open, however many are requested at the same time', async () => {
    const gate = Promise.withResolvers<void>();
    world.directory.onPull = () => gate.promise;
    const jobs = await Promise.all(Array.from({ length: 20 }, request));
    equal(new Set(jobs.map(({ jobId }) => jobId)).size, 1);
    const [first] = jobs;
    ok(first);
    await eventually(async () => equal((await request()).status, 'running'));
    gate.resolve();
    await finished(first.jobId);
    equal(world.directory.pulls(), 1);
    ok((await request()).jobId !== first.jobId);
  });

  test('fails with the directory’s reason, and changes nothing', async () => {
    world.directory.say({ Engineering: ['ada'] });
    await sync();
    world.directory.fail('The directory cannot be reached');
    const job = await sync();
    deepEqual([job.status, job.errorMessage], ['failed', 'The directory cannot be reached']);
    deepEqual([job.syncedGroups, job.deletedGroups], [undefined, undefined]);
    equal((await world.scim.listGroups({ accountId, ...page })).totalCount, 1);
  });

  test('writes nothing down where the directory is as it was', async () => {
    world.directory.say({ Engineering: ['ada', 'bob'] }, ['cy']);
    await sync();
    const stream = `scimDirectory-${accountId}`;
    const before = await Array.fromAsync(world.eventStore.read(stream));
    await sync();
    equal((await Array.fromAsync(world.eventStore.read(stream))).length, before.length);
  });

  test('of another organization, or of none, is not found', async () => {
    const { jobId } = await sync();
    for (const asked of [
      { accountId: 'org_2', jobId },
      { accountId, jobId: randomUUID() },
      { accountId, jobId: 'x' },
    ])
      await rejects(world.scim.getSyncJob(asked), { code: 'not_found' });
  });
});

describe('memberships', () => {
  test('follow groups, mappings, roles and members', async () => {
    await world.join('user_ada', 'Ada@example.com');
    await world.join('user_bob', 'bob@example.com');
    world.workspaces.join(one, { userId: 'user_manual', role: 'member' });
    world.directory.say({ Engineering: ['ada', 'bob'], Leads: ['ada'] });
    await sync();
    const { mappingId } = await map('Engineering', one);
    await untilIn(one, 'user_ada member', 'user_bob member', 'user_manual member');
    await map('Leads', one, 'admin');
    await untilIn(one, 'user_ada admin', 'user_bob member', 'user_manual member');
    world.directory.say({ Engineering: ['bob', 'cy'], Leads: ['ada'] });
    await sync();
    await untilIn(one, 'user_ada admin', 'user_bob member', 'user_manual member');
    await world.join('user_cy', 'cy@example.com');
    await untilIn(one, 'user_ada admin', 'user_bob member', 'user_cy member', 'user_manual member');
    await world.scim.changeMappingRole({ context: aContext(), mappingId, role: 'admin' });
    await untilIn(one, 'user_ada admin', 'user_bob admin', 'user_cy admin', 'user_manual member');
    await unmap(mappingId, false);
    await untilIn(one, 'user_ada admin', 'user_manual member');
  });

  test('are there when their job has succeeded', async () => {
    await world.join('user_ada', 'ada@example.com');
    world.directory.say({ Engineering: [] });
    await sync();
    await map('Engineering', one);
    world.directory.say({ Engineering: ['ada'] });
    await sync();
    deepEqual(world.workspaces.members(one), ['user_ada member']);
  });

  test('stay where a mapping is deleted and its members are kept, with the role of now', async () => {
    await world.join('user_ada', 'ada@example.com');
    await world.join('user_bob', 'bob@example.com');
    world.directory.say({ Engineering: ['ada', 'bob'], Leads: ['ada'] });
    await sync();
    const member = await map('Engineering', one);
    const admin = await map('Leads', one, 'admin');
    await unmap(admin.mappingId, true);
    await untilIn(one, 'user_ada admin', 'user_bob member');
    await unmap(member.mappingId, true);
    world.directory.say({});
    await sync();
    deepEqual(world.workspaces.members(one), ['user_ada admin', 'user_bob member']);
  });

  test('end with their group, whose mappings wait for its return', async () => {
    await world.join('user_ada', 'ada@example.com');
    world.directory.say({ Engineering: ['ada'] });
    await sync();
    const { mappingId } = await map('Engineering', one);
    await untilIn(one, 'user_ada member');
    world.directory.say({}, []);
    const job = await sync();
    equal(job.deletedGroups, 1);
    deepEqual(world.workspaces.members(one), []);
    deepEqual(await mappings(), []);
    await rejects(world.scim.getMapping({ accountId, mappingId }), { code: 'not_found' });
    world.directory.say({ Engineering: ['ada'] });
    await sync();
    deepEqual(world.workspaces.members(one), ['user_ada member']);
    deepEqual(
      (await mappings()).map((mapping) => mapping.mappingId),
      [mappingId],
    );
  });

  test('of the organization end and come back with the directory’s word', async () => {
    await world.join('user_ada', 'ada@example.com');
    await world.join('user_bob', 'bob@example.com');
    world.directory.say({ Engineering: ['ada', 'bob'] });
    await sync();
    await map('Engineering', one);
    world.directory.say({ Engineering: ['ada', 'bob'] }, ['ada']);
    await sync();
    deepEqual([await isActive('user_ada'), await isActive('user_bob')], [false, true]);
    deepEqual(world.workspaces.members(one), ['user_bob member']);
    await world.accounts.deactivateMember({ context: aContext(), userId: 'user_bob' });
    world.directory.say({ Engineering: ['ada', 'bob'] });
    await sync();
    deepEqual([await isActive('user_ada'), await isActive('user_bob')], [true, false]);
    await untilIn(one, 'user_ada member');
  });

  test('of one workspace that refuses them leave the others alone', async () => {
    await world.join('user_ada', 'ada@example.com');
    world.directory.say({ Engineering: ['ada'] });
    await sync();
    world.workspaces.onChange = ({ workspaceId }) => {
      if (workspaceId === one) throw new Fault('invalid_request');
    };
    await map('Engineering', one);
    await map('Engineering', two);
    await untilIn(two, 'user_ada member');
    deepEqual(world.workspaces.members(one), []);
  });

  test('are made up for when the workspaces were away', async () => {
    await world.join('user_ada', 'ada@example.com');
    world.directory.say({ Engineering: ['ada'] });
    await sync();
    world.workspaces.onChange = () => {
      throw new Fault('unavailable');
    };
    await map('Engineering', one);
    await world.restart();
    world.workspaces.onChange = () => undefined;
    await untilIn(one, 'user_ada member');
  });
});

describe('a mapping', () => {
  beforeEach(async () => {
    world.directory.say({ Engineering: ['ada'], Sales: [] });
    await sync();
  });

  test('is answered, found and listed, the newest first', async () => {
    const first = await map('Engineering', one);
    const second = await map('Sales', one, 'admin');
    deepEqual(
      (await world.scim.getMapping({ accountId, mappingId: first.mappingId })).mapping,
      first,
    );
    deepEqual(await mappings(), [second, first]);
    const rest = await world.scim.listMappings({ accountId, offset: 1, limit: 1 });
    deepEqual([rest.mappings, rest.totalCount], [[first], 2]);
    const changed = await world.scim.changeMappingRole({
      context: aContext(),
      mappingId: first.mappingId,
      role: 'admin',
    });
    equal(changed.mapping?.role, 'admin');
    deepEqual((await mappings())[1], changed.mapping);
  });

  test('is made once, however many make it at the same time', async () => {
    const making = Array.from({ length: 20 }, () =>
      map('Engineering', one).then(
        () => 'made',
        (error: unknown) => (error instanceof Fault ? error.code : error),
      ),
    );
    const outcomes = await Promise.all(making);
    equal(outcomes.filter((outcome) => outcome === 'made').length, 1);
    const refused = outcomes.filter((outcome) => outcome !== 'made');
    deepEqual(new Set(refused), new Set(['conflict']));
  });

  test('is made of a group and a workspace that are there', async () => {
    const group = await groupId('Engineering');
    const create = (changed: { groupId?: string; workspaceId?: string }) =>
      world.scim.createMapping({
        context: aContext(),
        groupId: group,
        workspaceId: one,
        role: 'member',
        ...changed,
      });
    for (const wrong of [
      { groupId: randomUUID() },
      { groupId: 'x' },
      { workspaceId: randomUUID() },
      { workspaceId: 'default' },
    ])
      await rejects(create(wrong), { code: 'not_found' });
  });

  test('goes with its workspace, however often that is told', async () => {
    await map('Engineering', one);
    await map('Engineering', two);
    const fact: WorkspaceDeleted = {
      factId: `${one}@3`,
      accountId,
      workspaceId: one,
      isDefault: false,
      occurredAt: new Date().toISOString(),
    };
    const message = WorkspaceDeleted.toJSON(fact) as object;
    for (const id of [fact.factId, `${fact.factId} again`])
      await world.bus.publishFact(subjects.workspaceDeleted(accountId), id, message);
    await eventually(async () => {
      deepEqual(
        (await mappings()).map(({ workspaceId }) => workspaceId),
        [two],
      );
    });
  });

  test('goes also when nobody told that the workspace is gone', async () => {
    await map('Engineering', one);
    await untilIn(one);
    world.workspaces.remove(one);
    await map('Sales', two);
    await eventually(async () => {
      deepEqual(
        (await mappings()).map(({ workspaceId }) => workspaceId),
        [two],
      );
    });
  });
});

describe('directory groups', () => {
  test('are nothing for a personal account, nor where they were taken from it', async () => {
    const questions = (of: string) => [
      () => world.scim.listGroups({ accountId: of, ...page }),
      () => world.scim.listMappings({ accountId: of, ...page }),
      () => world.scim.requestSync({ context: aContext(of) }),
    ];
    for (const ask of questions(personalId)) await rejects(ask(), { code: 'not_found' });
    const entitle = (isEnabled: boolean) =>
      world.accounts.changeEntitlement({ context: aContext(), entitlement: 'scim', isEnabled });
    await entitle(false);
    for (const ask of questions(accountId)) await rejects(ask(), { code: 'not_found' });
    await entitle(true);
    for (const ask of questions(accountId)) ok(await ask());
  });
});

describe('a sync job whose process dies', () => {
  /** Everything that a job does to the world; it dies when the given step is done, its answer lost. */
  function dying(step: number) {
    let steps = 0;
    let isDead = false;
    const take = async <Result>(work: () => Promise<Result>): Promise<Result> => {
      if (isDead) throw new Fault('unavailable');
      const isLast = steps++ === step;
      isDead ||= isLast;
      const result = await work();
      if (isLast) throw new Fault('unavailable');
      return result;
    };
    const { eventStore, workspaces } = world;
    const append: EventStore['append'] = (...call) => {
      const isRequest = call[1][0]?.type === 'ScimSyncRequested';
      return isRequest ? eventStore.append(...call) : take(() => eventStore.append(...call));
    };
    return {
      reached: () => isDead,
      dependencies: {
        eventStore: { ...eventStore, append },
        workspaces: {
          ...workspaces,
          setDirectoryMemberships: (
            ...call: Parameters<typeof workspaces.setDirectoryMemberships>
          ) => take(() => workspaces.setDirectoryMemberships(...call)),
          keepDirectoryMembers: (...call: Parameters<typeof workspaces.keepDirectoryMembers>) =>
            take(() => workspaces.keepDirectoryMembers(...call)),
        },
      },
    };
  }

  test('is finished by the next one, whichever step it was', async () => {
    for (const name of ['ada', 'bob', 'cy'])
      await world.join(`user_${name}`, `${name}@example.com`);
    let step = 0;
    for (; ; step++) {
      world.directory.say({ Engineering: ['ada', 'bob'], Old: ['ada'] });
      await sync();
      if (step === 0) {
        await map('Engineering', one);
        await map('Old', two, 'admin');
      }
      await untilIn(one, 'user_ada member', 'user_bob member');
      await untilIn(two, 'user_ada admin');
      world.directory.say({ Engineering: ['ada', 'cy'], New: ['cy'] }, ['bob']);
      const victim = dying(step);
      await world.restart(victim.dependencies);
      const { jobId } = await request();
      await Promise.race([eventually(() => ok(victim.reached())), finished(jobId)]);
      await world.restart();
      const job = await finished(jobId);
      deepEqual([job.status, job.syncedGroups, job.deletedGroups], ['succeeded', 2, 1]);
      deepEqual(world.workspaces.members(one), ['user_ada member', 'user_cy member']);
      deepEqual(world.workspaces.members(two), []);
      equal(await isActive('user_bob'), false);
      if (!victim.reached()) break;
    }
    ok(step >= 6, `it has only ${step} steps`);
    const written = await Array.fromAsync(world.eventStore.read(`scimSync-${accountId}`));
    const finishes = written.filter(({ type }) => type === 'ScimSyncFinished');
    equal(finishes.length, 2 * (step + 1));
  });
});
