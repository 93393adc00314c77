import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { subjects } from '@sluice/bus';
import {
  WorkspaceDeleted,
  WorkspaceMemberRemoved,
} from '@sluice/protos/sluice/directory/v1/directory_events';
import type { Database } from '@sluice/read-model';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import { aContext, keyWorld, type KeyWorld, otherWorkspaceId } from './testing/key-world.ts';

let world: KeyWorld;
/** The number of times that a command looked for a closing. */
let looks: number;
/** The workspace and its members, as the log has them. */
let isAlive: boolean;
let members: Set<string>;
beforeEach(async () => {
  world = await keyWorld({ postgresUrl: inject('postgresUrl') });
  [looks, isAlive, members] = [0, true, new Set(['ann', 'bob'])];
  await world.restart({
    database: countingLooks(world.database),
    directory: {
      ...world.directory,
      workspaceIsAlive: async () => isAlive,
      workspaceHasMember: async (_accountId, _workspaceId, userId) => members.has(userId),
    },
  });
});
afterEach(() => world.stop());

function countingLooks(database: Database): Database {
  const query: Database['query'] = (statement) => {
    if (statement.name === 'find-closing') looks += 1;
    return database.query(statement);
  };
  return new Proxy(database, {
    get: (target, property) => (property === 'query' ? query : Reflect.get(target, property)),
  });
}

const begin = async (creatorUserIds: string[] = [], accountId = 'org_1') => {
  const closed = { accountId, workspaceId: otherWorkspaceId, creatorUserIds };
  const { keyCount, token } = await world.client.beginClosing(closed);
  const end = () => world.client.endClosing({ accountId, token });
  return { keyCount, end };
};
const issue = (creatorUserId?: string, context = aContext()) =>
  world.issue({ workspaceId: otherWorkspaceId, creatorUserId, context, keepSecret: true });
const untilItWaits = () => world.until(() => ok(looks >= 2, `${looks} looks`));
const keys = async () =>
  (
    await world.database.query<{ disabled: boolean }>({
      text: 'SELECT disabled FROM api_keys',
      values: [],
    })
  ).map(({ disabled }) => disabled);
const closings = () =>
  world.database.query({ text: 'SELECT account_id FROM closing_workspaces', values: [] });
const expire = () =>
  world.database.query({ text: 'UPDATE closing_workspaces SET ends_at = now()', values: [] });

/** The facts that the workspace service publishes from the log. */
const fact = {
  factId: 'gone@1',
  accountId: 'org_1',
  workspaceId: otherWorkspaceId,
  userId: 'ann',
  isDefault: false,
  occurredAt: '2026-01-02T03:04:05.678Z',
};
const publish = (subject: string, data: unknown) =>
  world.bus.publishFact(subject, fact.factId, data as object);

describe('a key that is issued after its workspace was counted as empty', () => {
  test('waits for the deletion, is refused and disabled', async () => {
    const { keyCount, end } = await begin();
    equal(keyCount, 0n);
    const refused = rejects(issue(), { message: 'workspace_id: there is no such workspace' });
    await untilItWaits();
    isAlive = false;
    await end();
    await refused;
    await publish(subjects.workspaceDeleted('org_1'), WorkspaceDeleted.toJSON(fact));
    await world.until(async () => deepEqual(await keys(), [true]));
  });

  test('is issued when the deletion is refused for another reason', async () => {
    const { end } = await begin();
    const issued = issue();
    await untilItWaits();
    await end();
    const { hash } = (await issued).key;
    equal((await world.client.getKey({ accountId: 'org_1', hash })).key?.disabled, false);
  });

  test('is unavailable while the deletion takes long, and then issued by the same command', async () => {
    const { end } = await begin();
    const context = aContext();
    await rejects(issue(undefined, context), { code: 'unavailable', retryAfterSeconds: 2 });
    await end();
    await issue(undefined, context);
    deepEqual(await keys(), [false]);
  });

  test('is issued once a closing that nobody ends is over; the next one erases it', async () => {
    await begin();
    await expire();
    await issue();
    equal((await begin()).keyCount, 1n);
    deepEqual(await closings(), []);
  });
});

describe('a key that is issued after its creator was counted as one without keys', () => {
  test('waits for the removal, is refused and disabled', async () => {
    const { keyCount, end } = await begin(['ann', 'cem']);
    equal(keyCount, 0n);
    const refused = rejects(issue('ann'), {
      message: 'creator_user_id: is no member of this workspace',
    });
    await untilItWaits();
    members.delete('ann');
    await end();
    await refused;
    await publish(subjects.workspaceMemberRemoved('org_1'), WorkspaceMemberRemoved.toJSON(fact));
    await world.until(async () => deepEqual(await keys(), [true]));
  });

  test('waits for nobody else', async () => {
    await begin(['ann']);
    await issue('bob');
    await issue();
    deepEqual(await keys(), [false, false]);
  });
});

describe('a closing', () => {
  test('that finds keys leaves the workspace open', async () => {
    await issue('ann');
    equal((await begin()).keyCount, 1n);
    equal((await begin(['ann'])).keyCount, 1n);
    deepEqual(await closings(), []);
    await issue('ann');
  });

  test('of another account holds up nothing, and is not ended by its token', async () => {
    const closed = { accountId: 'org_2', workspaceId: otherWorkspaceId, creatorUserIds: [] };
    const { token } = await world.client.beginClosing(closed);
    await issue();
    await world.client.endClosing({ accountId: 'org_1', token });
    deepEqual(await closings(), [{ account_id: 'org_2' }]);
  });

  test('is of UUIDs and of at most 100 creators', async () => {
    const asked = { accountId: 'org_1', workspaceId: otherWorkspaceId, creatorUserIds: [] };
    const many = Array.from({ length: 101 }, (_, index) => `user_${index}`);
    for (const wrong of [{ workspaceId: 'default' }, { creatorUserIds: many }])
      await rejects(world.client.beginClosing({ ...asked, ...wrong }), { code: 'invalid_request' });
    const ended = { accountId: 'org_1', token: 'x' };
    await rejects(world.client.endClosing(ended), { code: 'invalid_request' });
    deepEqual(await closings(), []);
  });
});
