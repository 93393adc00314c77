import { deepEqual, equal, rejects } from 'node:assert/strict';
import { subjects } from '@sluice/bus';
import { Fault } from '@sluice/errors';
import type { EventStore } from '@sluice/es';
import {
  MemberDeactivated,
  WorkspaceDeleted,
  WorkspaceMemberRemoved,
} from '@sluice/protos/sluice/directory/v1/directory_events';
import { heldSubscriptions } from '@sluice/es/testing';
import { KeyKind } from '@sluice/protos/sluice/key/v1/key';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import type { Directory } from '../commands/directory.ts';
import {
  aContext,
  aCredential,
  defaultWorkspaceId,
  keyWorld,
  type KeyWorld,
  otherWorkspaceId,
} from '../testing/key-world.ts';

let world: KeyWorld;
beforeEach(async () => {
  world = await keyWorld({ postgresUrl: inject('postgresUrl') });
});
afterEach(() => world.stop());

const occurredAt = '2026-01-02T03:04:05.678Z';
const tell = {
  memberDeactivated: (userId: string, accountId = 'org_1') => {
    const fact = { factId: `${userId}@1`, accountId, userId, occurredAt };
    const message = MemberDeactivated.toJSON(fact) as object;
    return world.bus.publishFact(subjects.memberDeactivated(accountId), fact.factId, message);
  },
  workspaceDeleted: (workspaceId: string, accountId = 'org_1') => {
    const factId = `${workspaceId}@1`;
    const fact = { factId, accountId, workspaceId, isDefault: false, occurredAt };
    const message = WorkspaceDeleted.toJSON(fact) as object;
    return world.bus.publishFact(subjects.workspaceDeleted(accountId), factId, message);
  },
  workspaceMemberRemoved: (workspaceId: string, userId: string, accountId = 'org_1') => {
    const fact = {
      factId: `${workspaceId}/${userId}@1`,
      accountId,
      workspaceId,
      userId,
      occurredAt,
    };
    const message = WorkspaceMemberRemoved.toJSON(fact) as object;
    return world.bus.publishFact(subjects.workspaceMemberRemoved(accountId), fact.factId, message);
  },
};
const management = {
  kind: KeyKind.KEY_KIND_MANAGEMENT,
  context: aContext({ actorType: 'system' }),
};
const issue = async (creatorUserId: string | undefined, overrides: object = {}) =>
  (await world.issue({ creatorUserId, ...overrides })).key.hash;
const isDisabled = async (hash: string, accountId = 'org_1') =>
  (await world.client.getKey({ accountId, hash })).key?.disabled;
const typesOf = async (stream: string) =>
  (await Array.fromAsync(world.eventStore.read(stream))).map(({ type }) => type);

/** Answers as the store does until so many appends to such streams are done; then the process is dead. */
function dyingAfter(eventStore: EventStore, prefix: string, appends: number): EventStore {
  let left = appends;
  return {
    ...eventStore,
    append: async (stream, ...rest) => {
      if (!stream.startsWith(prefix)) return eventStore.append(stream, ...rest);
      left -= 1;
      if (left >= 0) return eventStore.append(stream, ...rest);
      // Written, and the answer lost: the worst moment.
      if (left === -1) await eventStore.append(stream, ...rest);
      throw new Fault('event_store_unavailable');
    },
  };
}

describe('when a member is deactivated', () => {
  test('every key they made is disabled, in all workspaces, of either kind; nobody else’s is', async () => {
    const hers = [
      await issue('ann'),
      await issue('ann', { workspaceId: otherWorkspaceId }),
      await issue('ann', management),
    ];
    const others = [await issue('bob'), await issue(undefined)];
    const elsewhere = await issue('ann', { context: aContext({ accountId: 'org_2' }) });
    await tell.memberDeactivated('ann');
    for (const hash of hers) await world.until(async () => equal(await isDisabled(hash), true));
    for (const hash of others) equal(await isDisabled(hash), false);
    equal(await isDisabled(elsewhere, 'org_2'), false);
  });

  test('keys stay as somebody puts them afterwards, also when the fact is told again', async () => {
    const hash = await issue('ann');
    await tell.memberDeactivated('ann');
    await world.until(async () => equal(await isDisabled(hash), true));
    await world.enable(hash);
    const { eventStore } = world;
    await world.restart({ bus: world.bus });
    await world.bus.publishFact(subjects.memberDeactivated('org_1'), 'again', {
      ...(MemberDeactivated.toJSON({
        factId: 'ann@1',
        accountId: 'org_1',
        userId: 'ann',
        occurredAt,
      }) as object),
    });
    const marker = await issue('bob');
    await tell.memberDeactivated('bob');
    await world.until(async () => equal(await isDisabled(marker), true));
    equal(await isDisabled(hash), false);
    equal((await Array.fromAsync(eventStore.read(`apiKey-${hash}`))).length, 3);
  });

  test.each([0, 1, 2])(
    'all are disabled once, when the process dies after %s of them',
    async (n) => {
      const hashes = [await issue('ann'), await issue('ann'), await issue('ann')].toSorted();
      await world.restart({ eventStore: dyingAfter(world.eventStore, 'apiKey-', n) });
      await tell.memberDeactivated('ann');
      const last = `apiKey-${hashes[n] ?? ''}`;
      await world.until(async () => equal((await typesOf(last)).length, 2));
      await world.restart();
      for (const hash of hashes) {
        await world.until(async () => equal(await isDisabled(hash), true));
        deepEqual(await typesOf(`apiKey-${hash}`), ['ApiKeyIssued', 'ApiKeyDisabled']);
      }
    },
  );
});

describe('when somebody loses a workspace', () => {
  test('the keys they made there are disabled', async () => {
    const there = await issue('ann', { workspaceId: otherWorkspaceId });
    const kept = [
      await issue('ann'),
      await issue('bob', { workspaceId: otherWorkspaceId }),
      await issue('ann', management),
    ];
    await tell.workspaceMemberRemoved(otherWorkspaceId, 'ann');
    await world.until(async () => equal(await isDisabled(there), true));
    for (const hash of kept) equal(await isDisabled(hash), false);
  });
});

describe('when a workspace is deleted', () => {
  test.each([0, 1, 2])(
    'its keys are disabled and its credentials erased, once, when the process dies after step %s',
    async (n) => {
      const hashes = [
        await issue('ann', { workspaceId: otherWorkspaceId }),
        await issue(undefined, { workspaceId: otherWorkspaceId }),
      ].toSorted();
      const kept = await issue('ann');
      await world.addCredential({ workspaceId: otherWorkspaceId });
      await world.addCredential({
        workspaceId: otherWorkspaceId,
        provider: 'azure',
        secret: aCredential.azure,
      });
      const left = await world.addCredential();
      await world.restart({ eventStore: dyingAfter(world.eventStore, '', n) });
      await tell.workspaceDeleted(otherWorkspaceId);
      const step = [...hashes.map((hash) => `apiKey-${hash}`), 'byok-org_1'][n] ?? '';
      const before = step === 'byok-org_1' ? 3 : 1;
      await world.until(async () => equal((await typesOf(step)).length > before, true));
      await world.restart();
      for (const hash of hashes)
        await world.until(async () =>
          deepEqual(await typesOf(`apiKey-${hash}`), ['ApiKeyIssued', 'ApiKeyDisabled']),
        );
      await world.until(async () => {
        const rows = await world.database.query<{ credential_id: string }>({
          text: 'SELECT credential_id FROM byok_secrets',
          values: [],
        });
        deepEqual(rows, [{ credential_id: left }]);
      });
      equal((await typesOf('byok-org_1')).length, 5);
      equal(await isDisabled(kept), false);
    },
  );
});

describe('when a key is deleted', () => {
  test.each([0, 1])(
    'it leaves the lists of credentials; an emptied list disables (death after %s)',
    async (n) => {
      const [gone, kept] = [await issue('ann'), await issue('ann')];
      const alone = await world.addCredential({ allowed: [gone] });
      const both = await world.addCredential({ allowed: [gone, kept] });
      await world.restart({ eventStore: dyingAfter(world.eventStore, 'byok-', n) });
      await world.client.deleteKey({ context: aContext(), hash: gone });
      await world.until(async () => equal((await typesOf('byok-org_1')).length, 4));
      await world.restart();
      const settingsOf = async (credentialId: string) =>
        (await world.byok.getCredential({ accountId: 'org_1', credentialId })).credential?.settings;
      await world.until(async () => equal((await settingsOf(alone))?.disabled, true));
      deepEqual((await settingsOf(alone))?.allowedApiKeyHashes?.values, []);
      equal((await settingsOf(both))?.disabled, false);
      deepEqual((await settingsOf(both))?.allowedApiKeyHashes?.values, [kept]);
      equal((await typesOf('byok-org_1')).length, 4);
    },
  );
});

describe('what is no fact', () => {
  test('does not hold up the others', async () => {
    const hash = await issue('ann');
    const subject = subjects.memberDeactivated('org_1');
    await world.bus.publishFact(subject, 'bad-1', ['no', 'object']);
    await world.bus.publishFact(subject, 'bad-2', { factId: 'x', accountId: 'org 1' });
    await tell.memberDeactivated('ann');
    await world.until(async () => equal(await isDisabled(hash), true));
  });
});

describe('a key whose creator or workspace goes while it is issued', () => {
  const withDirectory = (changed: Partial<Directory>) =>
    world.restart({ directory: { ...world.directory, ...changed } });

  test('is disabled', async () => {
    let asked = 0;
    // There when the key is asked for, and gone right after.
    await withDirectory({
      members: async (_accountId, userIds) =>
        userIds.map((userId) => ({ userId, isActive: asked++ === 0 })),
    });
    const hers = await issue('ann');
    await world.until(async () => equal(await isDisabled(hers), true));
  });

  /** There when the first is asked for, and gone right after. */
  const vanishing = () => {
    let asked = 0;
    const isThere = async (_accountId: string, workspaceId: string) =>
      workspaceId === defaultWorkspaceId || asked++ === 0;
    return withDirectory({ workspaceExists: isThere, workspaceIsAlive: isThere });
  };
  const noWorkspace = { message: 'workspace_id: there is no such workspace' };

  test('is refused and disabled when the workspace goes while it is issued', async () => {
    await vanishing();
    await rejects(issue(undefined, { workspaceId: otherWorkspaceId }), noWorkspace);
    await world.until(async () =>
      deepEqual(
        await world.database.query({
          text: 'SELECT disabled FROM api_keys WHERE workspace_id = $1',
          values: [otherWorkspaceId],
        }),
        [{ disabled: true }],
      ),
    );
  });

  test('is looked after once a count of keys has it, so that a later deletion is refused', async () => {
    const store = heldSubscriptions(world.eventStore);
    let asked = 0;
    const isThere = async () => ++asked > 0;
    await world.restart({
      eventStore: store,
      directory: { ...world.directory, workspaceExists: isThere, workspaceIsAlive: isThere },
    });
    const request = { workspaceId: otherWorkspaceId, context: aContext(), keepSecret: true };
    store.hold();
    await rejects(issue(undefined, request), { code: 'read_model_unavailable' });
    equal(asked, 1);
    store.letGo();
    const hash = await issue(undefined, request);
    equal(await isDisabled(hash), false);
  });

  test('and a credential is refused and deleted', async () => {
    await vanishing();
    await rejects(world.addCredential({ workspaceId: otherWorkspaceId }), noWorkspace);
    await world.until(async () =>
      deepEqual(await typesOf('byok-org_1'), ['ByokCredentialAdded', 'ByokCredentialDeleted']),
    );
    await world.until(async () =>
      deepEqual(await world.database.query({ text: 'SELECT 1 FROM byok_secrets', values: [] }), []),
    );
  });

  test('stays when all are there, and when its creator never was a member', async () => {
    const kept = await issue('ann');
    let asked = 0;
    await withDirectory({
      members: async (_accountId, userIds) =>
        asked++ === 0 ? userIds.map((userId) => ({ userId, isActive: true })) : [],
    });
    const unknown = await issue('bob');
    await world.until(() => equal(asked, 2));
    equal(await isDisabled(kept), false);
    equal(await isDisabled(unknown), false);
  });
});
