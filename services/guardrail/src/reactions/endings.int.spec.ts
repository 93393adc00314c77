import { deepEqual, equal } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { directoryStream, limitStream, subjectFilters, subjects } from '@sluice/bus';
import { eventually } from '@sluice/patience';
import { defaultGuardrailId } from '@sluice/policy';
import {
  KeyDeleted,
  MemberDeactivated,
  WorkspaceDeleted,
} from '@sluice/protos/sluice/directory/v1/directory_events';
import { LimitsSet } from '@sluice/protos/sluice/limit/v1/limit_events';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import { breakingEventStore } from '../testing/breaking-event-store.ts';
import {
  aContext,
  aGuardrail,
  guardrailWorld,
  type GuardrailWorld,
} from '../testing/guardrail-world.ts';

let world: GuardrailWorld;
beforeEach(async () => {
  world = await guardrailWorld({ postgresUrl: inject('postgresUrl') });
});
afterEach(() => world.stop());

const accountId = 'org_1';
const occurredAt = '2026-01-02T03:04:05.678Z';
const until = (check: () => void | Promise<void>) => eventually(check);

const assigned = async () => {
  const page = { accountId, guardrailId: '', offset: 0, limit: 100 };
  const keys = await world.client.listKeyAssignments(page);
  const members = await world.client.listMemberAssignments(page);
  return keys.totalCount + members.totalCount;
};
const deleteGuardrail = (guardrailId: string) =>
  world.client.deleteGuardrail({ context: aContext(), guardrailId });
const publish = (subject: string, factId: string, message: unknown) =>
  world.bus.publishFact(subject, factId, message as object);

async function events(type: string): Promise<number> {
  let count = 0;
  const signal = new AbortController();
  const streamPrefixes = ['guardrail', 'keyGuardrail', 'memberGuardrail'];
  const options = { after: 'start', streamPrefixes, signal: signal.signal } as const;
  for await (const batch of world.eventStore.subscribe(options)) {
    for (const message of batch)
      if (message.kind === 'event' && message.event.type === type) count++;
    if (batch.some(({ kind }) => kind === 'caught_up')) signal.abort();
  }
  return count;
}

/** Three keys and two members with a guardrail of the workspace. */
async function assignedGuardrail(workspaceId = ''): Promise<string> {
  const { guardrailId } = await world.create({}, { workspaceId });
  const keyHashes = [1, 2, 3].map(() => world.directory.addKey(workspaceId || undefined));
  const userIds = [1, 2].map(() => world.directory.addMember());
  const of = { context: aContext(), guardrailId };
  await world.client.assignToKeys({ ...of, keyHashes });
  await world.client.assignToMembers({ ...of, userIds });
  equal(await assigned(), 5);
  return guardrailId;
}

describe('a guardrail that was deleted', () => {
  test.each([0, 1, 2, 3, 4, 5])(
    'loses its assignments once each, also when its process dies after %i of them',
    async (steps) => {
      const guardrailId = await assignedGuardrail();
      const breaking = breakingEventStore(world.eventStore, 1 + steps);
      await world.restart({ eventStore: breaking });
      await deleteGuardrail(guardrailId);
      await until(async () => {
        equal(breaking.refused() > 0 || (await assigned()) === 0, true);
      });
      await world.restart();
      await until(async () => equal(await assigned(), 0));
      equal(await events('GuardrailUnassignedFromKey'), 3);
      equal(await events('GuardrailUnassignedFromMember'), 2);
    },
  );

  test('loses what is assigned too late', async () => {
    const guardrailId = await assignedGuardrail();
    const hash = world.directory.addKey();
    const of = { context: aContext(), guardrailId };
    const race = await Promise.allSettled([
      deleteGuardrail(guardrailId),
      world.client.assignToKeys({ ...of, keyHashes: [hash] }),
    ]);
    equal(race[0].status, 'fulfilled');
    await until(async () => equal(await assigned(), 0));
  });
});

describe('a workspace that was deleted', () => {
  const ended = (workspaceId: string) => {
    const factId = `${workspaceId}@1`;
    const fact = { factId, accountId, workspaceId, isDefault: false, occurredAt };
    world.directory.workspaces.set(
      accountId,
      (world.directory.workspaces.get(accountId) ?? []).filter((id) => id !== workspaceId),
    );
    return publish(subjects.workspaceDeleted(accountId), factId, WorkspaceDeleted.toJSON(fact));
  };

  // The end itself, two guardrails and the default one, five assignments.
  test.each([0, 1, 2, 3, 4, 6, 8])(
    'takes its guardrails with it, also when the process dies after %i steps',
    async (steps) => {
      const workspaceId = randomUUID();
      world.directory.workspaces.get(accountId)?.push(workspaceId);
      const guardrailIds = [
        await assignedGuardrail(workspaceId),
        (await world.create({}, { workspaceId })).guardrailId,
        defaultGuardrailId(workspaceId),
      ];
      const values = { ...aGuardrail };
      const change = {
        context: aContext(),
        guardrailId: guardrailIds[2] ?? '',
        values,
        fields: [],
      };
      await world.client.updateGuardrail(change);
      const kept = await world.create();
      const breaking = breakingEventStore(world.eventStore, steps);
      await world.restart({ eventStore: breaking });
      await ended(workspaceId);
      await until(async () => {
        equal(breaking.refused() > 0 || (await assigned()) === 0, true);
      });
      await world.restart();
      const statusOf = (guardrailId: string) =>
        world.client.getGuardrail({ accountId, guardrailId }).then(
          () => 'there',
          (error: { code: string }) => error.code,
        );
      await until(async () => {
        deepEqual(await Promise.all(guardrailIds.map(statusOf)), Array(3).fill('not_found'));
        equal(await assigned(), 0);
      });
      equal(await events('GuardrailDeleted'), 3);
      equal(await statusOf(kept.guardrailId), 'there');
      equal(await statusOf(guardrailIds[2] ?? ''), 'not_found');
    },
  );

  test('takes one with it that is written too late', async () => {
    const workspaceId = randomUUID();
    await ended(workspaceId);
    await until(async () => equal(await events('GuardrailWorkspaceEnded'), 1));
    // The creator saw the workspace a moment before.
    world.directory.workspaces.get(accountId)?.push(workspaceId);
    await world.create({}, { workspaceId });
    await until(async () => equal(await events('GuardrailDeleted'), 1));
  });
});

describe('a key that was deleted', () => {
  test('loses its guardrail once, however often and whenever that is said', async () => {
    const { guardrailId } = await world.create();
    const keyHash = world.directory.addKey();
    const of = { context: aContext(), guardrailId };
    await world.client.assignToKeys({ ...of, keyHashes: [keyHash] });
    const breaking = breakingEventStore(world.eventStore, 0);
    await world.restart({ eventStore: breaking });
    const fact = { factId: `${keyHash}@1`, accountId, keyHash, occurredAt };
    const subject = subjects.keyDeleted(accountId);
    await publish(subject, fact.factId, KeyDeleted.toJSON(fact));
    await publish(subject, 'malformed', { keyHash: 7 });
    await publish(subject, 'again', KeyDeleted.toJSON({ ...fact, factId: 'again' }));
    await until(() => equal(breaking.refused() > 0, true));
    await world.restart();
    await until(async () => equal(await assigned(), 0));
    await until(async () => equal(await events('GuardrailKeyRetired'), 1));
    equal(await events('GuardrailUnassignedFromKey'), 1);
    // The caller saw the key a moment before.
    const late = { ...of, context: aContext(), keyHashes: [keyHash] };
    deepEqual(await world.client.assignToKeys(late), { assignedCount: 1 });
    equal(await assigned(), 0);
  });
});

describe('a member who was deactivated', () => {
  test('loses their guardrails once', async () => {
    const ids = [await world.create(), await world.create({}, { isUnscoped: true })];
    const userId = world.directory.addMember();
    for (const { guardrailId } of ids) {
      const of = { context: aContext(), guardrailId };
      await world.client.assignToMembers({ ...of, userIds: [userId] });
    }
    equal(await assigned(), 2);
    const breaking = breakingEventStore(world.eventStore, 0);
    await world.restart({ eventStore: breaking });
    const fact = { factId: `${userId}@1`, accountId, userId, occurredAt };
    const message = MemberDeactivated.toJSON(fact);
    await publish(subjects.memberDeactivated(accountId), fact.factId, message);
    await until(() => equal(breaking.refused() > 0, true));
    await world.restart();
    await until(async () => equal(await assigned(), 0));
    equal(await events('GuardrailUnassignedFromMember'), 2);
  });
});

describe('the limit of a guardrail', () => {
  test('is told whenever it changes, also when the bus was away, and its end', async () => {
    const told: LimitsSet[] = [];
    await world.bus.ensureStream(limitStream);
    await world.bus.ensureStream(directoryStream);
    void world.bus.consume({
      stream: limitStream.name,
      durable: 'test',
      filter: subjectFilters.limitsSet,
      batchMax: 10,
      signal: new AbortController().signal,
      handle: async (messages) =>
        void told.push(...messages.map(({ data }) => LimitsSet.fromJSON(data))),
    });
    const last = () => {
      const { scopeKind, scopeId, limits, includeByok, revision } = told.at(-1) ?? {};
      const amounts = limits?.map(({ windowKind, limitNanoUsd }) => [windowKind, limitNanoUsd]);
      return [scopeKind, scopeId, amounts, includeByok, revision];
    };
    const limit = { limitNanoUsd: 5n, resetInterval: 'daily' };
    const { guardrailId: id } = await world.create(limit);
    await until(() => deepEqual(last(), ['guardrail', id, [['daily', 5n]], false, 0n]));
    const change = (values: object, ...fields: string[]) =>
      world.client.updateGuardrail({
        context: aContext(),
        guardrailId: id,
        values: { ...aGuardrail, ...values },
        fields,
      });
    await change({ name: 'x' }, 'name');
    world.bus.setConnected(false);
    await change({ includeByok: true, limitNanoUsd: 7n }, 'include_byok_in_budgets', 'limit_usd');
    world.bus.setConnected(true);
    await until(() => deepEqual(last(), ['guardrail', id, [['daily', 7n]], true, 2n]));
    await deleteGuardrail(id);
    await until(() => deepEqual(last(), ['guardrail', id, [], false, 3n]));
  });
});
