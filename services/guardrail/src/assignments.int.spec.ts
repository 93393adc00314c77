import { deepEqual, equal, notEqual, ok, rejects } from 'node:assert/strict';
import { eventually } from '@sluice/patience';
import { defaultGuardrailId } from '@sluice/policy';
import { afterAll, beforeAll, describe, inject, test } from 'vitest';
import { breakingEventStore } from './testing/breaking-event-store.ts';
import {
  aContext,
  aGuardrail,
  guardrailWorld,
  type GuardrailWorld,
} from './testing/guardrail-world.ts';
import { defaultWorkspaceId, otherWorkspaceId } from './testing/in-memory-directory.ts';

let world: GuardrailWorld;
beforeAll(async () => {
  world = await guardrailWorld({ postgresUrl: inject('postgresUrl') });
});
afterAll(() => world.stop());

const accountId = 'org_1';
const page = { accountId, offset: 0, limit: 100 };
const notFound = { code: 'not_found' };
const assignKeys = (guardrailId: string, keyHashes: string[], context = aContext()) =>
  world.client.assignToKeys({ context, guardrailId, keyHashes, assignedBy: 'user_1' });
const assignMembers = (guardrailId: string, userIds: string[], context = aContext()) =>
  world.client.assignToMembers({ context, guardrailId, userIds });
const keysOf = async (guardrailId: string) =>
  (await world.client.listKeyAssignments({ ...page, guardrailId })).assignments;
const membersOf = async (guardrailId: string) =>
  (await world.client.listMemberAssignments({ ...page, guardrailId })).assignments;
const newId = async (workspaceId = '', isUnscoped = false) =>
  (await world.create({}, { workspaceId, isUnscoped })).guardrailId;
const policyOf = async (keyHash: string, userId = '', workspaceId = defaultWorkspaceId) => {
  const question = { accountId, workspaceId, keyHash, userId };
  const { guardrails } = await world.client.getEffectivePolicy(question);
  return guardrails.map(({ guardrailId, scope, assigneeId }) => [scope, guardrailId, assigneeId]);
};

describe('assigning a guardrail to keys', () => {
  test('is listed at once, with what the keys are called now', async () => {
    const guardrailId = await newId();
    const hash = world.directory.addKey();
    deepEqual(await assignKeys(guardrailId, [hash, hash]), { assignedCount: 1 });
    const [assignment, ...others] = await keysOf(guardrailId);
    deepEqual(others, []);
    const { assignmentId: _id, createdAt: _at, ...rest } = assignment ?? {};
    const known = world.directory.keys.get(hash);
    deepEqual(rest, {
      guardrailId,
      keyHash: hash,
      keyLabel: known?.label,
      keyName: known?.name,
      assignedBy: 'user_1',
    });
    const foreign = { ...page, accountId: 'org_2', guardrailId };
    await rejects(world.client.listKeyAssignments(foreign), notFound);
    const all = { ...page, accountId: 'org_2', guardrailId: '' };
    deepEqual(await world.client.listKeyAssignments(all), { assignments: [], totalCount: 0 });
  });

  test('of which one is unknown, foreign or no hash assigns none', async () => {
    const guardrailId = await newId();
    const hash = world.directory.addKey();
    for (const wrong of ['f'.repeat(64), 'x', hash.toUpperCase().replaceAll('0', 'A')])
      await rejects(assignKeys(guardrailId, [hash, wrong]), notFound);
    await rejects(assignKeys(guardrailId, [hash], aContext('org_2')), notFound);
    deepEqual(await keysOf(guardrailId), []);
  });

  test('of another workspace is refused, unless the guardrail is kept in none', async () => {
    const hashes = [world.directory.addKey(), world.directory.addKey(otherWorkspaceId)];
    const guardrailId = await newId();
    await rejects(assignKeys(guardrailId, hashes), /key_hashes\.1/);
    deepEqual(await keysOf(guardrailId), []);
    deepEqual(await assignKeys(await newId('', true), hashes), { assignedCount: 2 });
  });

  test('takes 1 to 100 of them', async () => {
    const guardrailId = await newId();
    const hash = world.directory.addKey();
    await rejects(assignKeys(guardrailId, []), /1 to 100/);
    await rejects(
      assignKeys(
        guardrailId,
        Array.from({ length: 101 }, () => hash),
      ),
      /1 to 100/,
    );
    const hashes = Array.from({ length: 100 }, () => world.directory.addKey());
    deepEqual(await assignKeys(guardrailId, hashes), { assignedCount: 100 });
    const { totalCount } = await world.client.listKeyAssignments({
      ...page,
      guardrailId,
      limit: 1,
    });
    equal(totalCount, 100);
  });

  test('that have another one replaces it; that have it already leaves it as it is', async () => {
    const [first, second] = [await newId(), await newId()];
    const hash = world.directory.addKey();
    await assignKeys(first, [hash]);
    const before = await keysOf(first);
    deepEqual(await assignKeys(first, [hash]), { assignedCount: 1 });
    deepEqual(await keysOf(first), before);
    await assignKeys(second, [hash]);
    deepEqual(await keysOf(first), []);
    notEqual((await keysOf(second))[0]?.assignmentId, before[0]?.assignmentId);
  });

  test('by 50 calls at once leaves each key with one', async () => {
    const guardrailIds = await Promise.all(Array.from({ length: 5 }, () => newId()));
    const hashes = [world.directory.addKey(), world.directory.addKey()];
    const calls = Array.from({ length: 50 }, (_, index) =>
      assignKeys(guardrailIds[index % 5] ?? '', hashes).catch((error: { code: string }) => {
        // A command that lost four times in a row fails.
        equal(error.code, 'revision_conflict');
      }),
    );
    await Promise.all(calls);
    const assigned = await Promise.all(guardrailIds.map(keysOf));
    equal(assigned.flat().length, 2);
    for (const hash of hashes) equal((await policyOf(hash)).length, 1);
  });

  test('that broke off is completed when it is sent again, and counts the same', async () => {
    const guardrailId = await newId();
    const hashes = Array.from({ length: 5 }, () => world.directory.addKey());
    const context = aContext();
    await world.restart({ eventStore: breakingEventStore(world.eventStore, 2) });
    await rejects(assignKeys(guardrailId, hashes, context), { code: 'event_store_unavailable' });
    await world.restart();
    const before = await eventually(async () => {
      const some = await keysOf(guardrailId);
      equal(some.length, 2);
      return some;
    });
    deepEqual(await assignKeys(guardrailId, hashes, context), { assignedCount: 5 });
    const after = await keysOf(guardrailId);
    equal(after.length, 5);
    for (const one of before)
      ok(after.some(({ assignmentId }) => assignmentId === one.assignmentId));
  });

  test('is taken back, and skips those that do not have it', async () => {
    const [guardrailId, other] = [await newId(), await newId()];
    const hashes = [world.directory.addKey(), world.directory.addKey(), world.directory.addKey()];
    const [one = '', two = ''] = hashes;
    await assignKeys(guardrailId, [one]);
    await assignKeys(other, [two]);
    const context = aContext();
    const remove = (of = guardrailId) =>
      world.client.unassignFromKeys({ context, guardrailId: of, keyHashes: [...hashes, 'x'] });
    deepEqual(await remove(), { unassignedCount: 1 });
    deepEqual(await remove(), { unassignedCount: 1 }, 'the same call again');
    const again = { context: aContext(), guardrailId, keyHashes: hashes };
    deepEqual(await world.client.unassignFromKeys(again), { unassignedCount: 0 });
    equal((await keysOf(other)).length, 1);
    const foreign = { context: aContext('org_2'), guardrailId: other, keyHashes: [two] };
    await rejects(world.client.unassignFromKeys(foreign), notFound);
  });

  test('is refused for the default guardrail of a workspace', async () => {
    const guardrailId = defaultGuardrailId(otherWorkspaceId);
    const values = { ...aGuardrail };
    await world.client.updateGuardrail({ context: aContext(), guardrailId, values, fields: [] });
    const hash = world.directory.addKey(otherWorkspaceId);
    await rejects(assignKeys(guardrailId, [hash]), { code: 'invalid_request' });
    const userId = world.directory.addMember();
    await rejects(assignMembers(guardrailId, [userId]), { code: 'invalid_request' });
  });
});

describe('assigning a guardrail to members', () => {
  test('gives each at most one in each workspace, and one for all of them', async () => {
    const userId = world.directory.addMember();
    const [here, alsoHere, there, everywhere] = [
      await newId(),
      await newId(),
      await newId(otherWorkspaceId),
      await newId('', true),
    ];
    for (const each of [here, alsoHere, there, everywhere])
      deepEqual(await assignMembers(each, [userId]), { assignedCount: 1 });
    deepEqual(await membersOf(here), []);
    for (const each of [alsoHere, there, everywhere]) equal((await membersOf(each)).length, 1);
    const removal = { context: aContext(), guardrailId: there, userIds: [userId, 'user_nobody'] };
    deepEqual(await world.client.unassignFromMembers(removal), { unassignedCount: 1 });
    equal((await membersOf(alsoHere)).length, 1);
  });

  test('of whom one is no member assigns none', async () => {
    const guardrailId = await newId();
    const userId = world.directory.addMember();
    for (const wrong of ['user_nobody', 'a b'])
      await rejects(assignMembers(guardrailId, [userId, wrong]), notFound);
    deepEqual(await membersOf(guardrailId), []);
  });
});

describe('the effective policy', () => {
  test('has the workspace’s default, then the member’s, then the key’s', async () => {
    const defaultId = defaultGuardrailId(defaultWorkspaceId);
    const values = { ...aGuardrail, limitNanoUsd: 9n, resetInterval: 'daily', includeByok: true };
    const fields = ['limit_usd', 'reset_interval', 'include_byok_in_budgets'];
    const change = { context: aContext(), guardrailId: defaultId, values, fields };
    await world.client.updateGuardrail(change);
    const [ofKey, ofMember, elsewhere, everywhere] = [
      await newId(),
      await newId(),
      await newId(otherWorkspaceId),
      await newId('', true),
    ];
    const hash = world.directory.addKey();
    const userId = world.directory.addMember();
    await assignKeys(ofKey, [hash]);
    for (const each of [ofMember, elsewhere, everywhere]) await assignMembers(each, [userId]);
    deepEqual(await policyOf(hash, userId), [
      ['workspace', defaultId, defaultWorkspaceId],
      ['member', everywhere, userId],
      ['member', ofMember, userId],
      ['key', ofKey, hash],
    ]);
    deepEqual(await policyOf(hash), [
      ['workspace', defaultId, defaultWorkspaceId],
      ['key', ofKey, hash],
    ]);
    const question = { accountId, workspaceId: defaultWorkspaceId, keyHash: hash, userId: '' };
    const { guardrails } = await world.client.getEffectivePolicy(question);
    const { limitNanoUsd, windowKind, includeByok } = guardrails[0] ?? {};
    deepEqual([limitNanoUsd, windowKind, includeByok], [9n, 'daily', true]);
    await world.client.deleteGuardrail({ context: aContext(), guardrailId: defaultId });
    await world.client.deleteGuardrail({ context: aContext(), guardrailId: ofKey });
    deepEqual(
      (await policyOf(hash, userId)).map(([, id]) => id),
      [everywhere, ofMember],
      'right at once',
    );
  });

  test('of another account has nothing of ours', async () => {
    const hash = world.directory.addKey();
    await assignKeys(await newId(), [hash]);
    const workspaceId = defaultWorkspaceId;
    const question = { accountId: 'org_2', workspaceId, keyHash: hash, userId: '' };
    deepEqual(await world.client.getEffectivePolicy(question), {
      guardrails: [],
      allowedPhrases: [],
      unsupportedFeatures: undefined,
    });
    await rejects(world.client.getEffectivePolicy({ ...question, keyHash: 'a/b' }), /key_hash/);
  });
});
