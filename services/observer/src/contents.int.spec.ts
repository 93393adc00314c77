import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { subjects } from '@sluice/bus';
import { type LocalKeyManagement, localKeyManagement, seal } from '@sluice/envelope';
import { decodeContents, encodeContents } from '@sluice/generation-contents';
import { until } from '@sluice/patience';
import { WorkspaceDeleted } from '@sluice/protos/sluice/directory/v1/directory_events';
import { GenerationContents } from '@sluice/protos/sluice/generation/v1/generation_events';
import { afterAll, beforeAll, describe, test } from 'vitest';
import {
  accountId,
  observerWorld,
  type World,
  type WorldOptions,
} from './testing/observer-world.ts';

let folder: string;
let keys: LocalKeyManagement;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contents-'));
  keys = await localKeyManagement(join(folder, 'keys'));
});
afterAll(() => rm(folder, { recursive: true }));

const workspaceId = '00000000-0000-4000-8000-000000000001';
const otherWorkspaceId = '00000000-0000-4000-8000-000000000002';
const secret = 'the plan is secret';
const day = 24 * 3_600_000;

const worldWith = (options: WorldOptions = {}) => observerWorld({ keys, ...options });

interface Said {
  readonly workspaceId?: string;
  readonly accountId?: string;
  readonly userId?: string;
  readonly generationId?: string;
}

/** Sends contents as routing does. Returns the id of their generation. */
async function say({ bus }: World, said: Said = {}): Promise<string> {
  const generationId = said.generationId ?? `gen-${randomUUID()}`;
  const owner = { accountId, ...(said.accountId && { accountId: said.accountId }) };
  const contents = {
    system: [],
    input: [{ role: 'user' as const, parts: [{ type: 'text' as const, content: secret }] }],
    output: [],
    tools: [],
    isCut: false,
  };
  const record = { ...owner, recordId: `logged/${generationId}` };
  const sealed = await seal(keys, record, encodeContents(contents));
  const message = GenerationContents.fromPartial({
    ...owner,
    generationId,
    workspaceId: said.workspaceId ?? workspaceId,
    userId: said.userId ?? 'ann',
    endedAt: '2026-11-27T10:00:00.000Z',
    contents: {
      keyVersion: sealed.keyVersion,
      wrappedKey: Buffer.from(sealed.wrappedKey),
      ciphertext: Buffer.from(sealed.ciphertext),
    },
  });
  const json = GenerationContents.toJSON(message) as object;
  await bus.publishFact(subjects.contentsLogged(owner.accountId), randomUUID(), json);
  return generationId;
}

async function read(
  world: World,
  generationId: string,
  reader?: { workspaceId: string; userId: string },
) {
  const asked = { accountId, generationId, reader };
  const { contents } = await world.calls().getContents(asked);
  return decodeContents(contents)?.input[0]?.parts[0];
}

const stored = { type: 'text', content: secret };
const isMissing = { code: 'not_found' };

const isStored = (world: World, generationId: string) =>
  until(async () => (await rowsOf(world)).some((row) => row.generationId === generationId));

function rowsOf({ database }: World) {
  return database.query<{ generationId: string; keyVersion: string }>({
    text: 'SELECT generation_id AS "generationId", key_version AS "keyVersion" FROM contents',
    values: [],
  });
}

async function counted(world: World, outcome: string): Promise<number> {
  const text = await world.telemetry.prometheus();
  const line = new RegExp(
    `^observer_contents_total\\{[^}]*outcome="${outcome}"[^}]*\\} (\\d+)`,
    'm',
  );
  return Number(line.exec(text)?.[1] ?? 0);
}

async function remove({ bus }: World, removed: string): Promise<void> {
  const fact = WorkspaceDeleted.fromPartial({
    factId: `${removed}@1`,
    accountId,
    workspaceId: removed,
    occurredAt: '2026-11-27T10:00:00.000Z',
  });
  const json = WorkspaceDeleted.toJSON(fact) as object;
  await bus.publishFact(subjects.workspaceDeleted(accountId), fact.factId, json);
}

describe('stored contents', () => {
  test('are read by their member and by management keys, and by no other', async () => {
    const world = await worldWith();
    const id = await say(world);
    await isStored(world, id);
    deepEqual(await read(world, id), stored);
    deepEqual(await read(world, id, { workspaceId, userId: 'ann' }), stored);
    const denied = { code: 'permission_denied' };
    await rejects(read(world, id, { workspaceId, userId: 'bob' }), denied);
    await rejects(read(world, id, { workspaceId: otherWorkspaceId, userId: 'ann' }), denied);
    const calls = world.calls();
    const foreign = { accountId: 'acct_2', generationId: id, reader: undefined };
    await rejects(calls.getContents(foreign), isMissing);
    for (const wrong of ['gen-unknown', '\0', '', 'x'.repeat(2_000)])
      await rejects(read(world, wrong), isMissing, wrong);
  });

  test('are sealed at rest, and closed to other accounts by the database itself', async () => {
    const world = await worldWith();
    const id = await say(world);
    await isStored(world, id);
    const all = await world.database.query({ text: 'SELECT * FROM contents', values: [] });
    const bytes = await world.database.query<{ text: string }>({
      text: `SELECT encode(ciphertext, 'escape') AS text FROM contents`,
      values: [],
    });
    ok(!JSON.stringify([all, bytes]).includes('secret'));
    const seen = async (account: string) =>
      await world.database.forAccount(account).query({ text: 'SELECT FROM contents', values: [] });
    deepEqual([(await seen(accountId)).length, (await seen('acct_2')).length], [1, 0]);
  });

  test('are stored and counted once, however often their message comes', async () => {
    const world = await worldWith();
    const id = await say(world);
    await isStored(world, id);
    await say(world, { generationId: id });
    const later = await say(world);
    await isStored(world, later);
    equal((await rowsOf(world)).length, 2);
    await until(async () => (await counted(world, 'stored')) === 2);
  });

  test('are gone at the end of their retention, and not read before that is noticed', async () => {
    let now = new Date('2026-01-01T00:00:00Z');
    const clock = { now: () => now };
    const world = await worldWith({ clock });
    const id = await say(world);
    await isStored(world, id);
    now = new Date(now.getTime() + 92 * day);
    deepEqual(await read(world, id), stored);
    now = new Date(now.getTime() + 1);
    await rejects(read(world, id), isMissing);
    await world.restart();
    await until(async () => (await rowsOf(world)).length === 0);
    await until(async () => (await counted(world, 'expired')) === 1);
  });

  test('are deleted with their workspace, also those that come late', async () => {
    const world = await worldWith();
    const [id, other] = [await say(world), await say(world, { workspaceId: otherWorkspaceId })];
    await isStored(world, id);
    await isStored(world, other);
    await remove(world, workspaceId);
    await until(async () => (await rowsOf(world)).length === 1);
    await say(world);
    await until(async () => (await counted(world, 'orphaned')) === 1);
    await rejects(read(world, id), isMissing);
    deepEqual(await read(world, other), stored);
    await until(async () => (await counted(world, 'deleted')) === 1);
  });

  test('stop at the bounds of their workspace and of the store, and are counted', async () => {
    const bounds = { ageMsMax: day, workspaceBytesMax: 600, bytesMax: 2_000 };
    const world = await worldWith({ contentBounds: bounds });
    await isStored(world, await say(world));
    await say(world);
    await until(async () => (await counted(world, 'full')) === 1);
    await isStored(world, await say(world, { workspaceId: otherWorkspaceId }));
    equal((await rowsOf(world)).length, 2);
    // A deleted workspace leaves room.
    await remove(world, workspaceId);
    await until(async () => (await rowsOf(world)).length === 1);
    const [left] = await world.database.query<{ bytes: bigint }>({
      text: 'SELECT sum(bytes)::bigint AS bytes FROM content_bytes WHERE workspace_id <> $1',
      values: [workspaceId],
    });
    const [sum] = await world.database.query<{ bytes: bigint }>({
      text: 'SELECT sum(bytes)::bigint AS bytes FROM content_bytes',
      values: [],
    });
    equal(sum?.bytes, left?.bytes);
  });

  test('are put under the newest key at a start', async () => {
    const world = await worldWith();
    const id = await say(world);
    await isStored(world, id);
    const before = await keys.newestVersion();
    await keys.rotate();
    await world.restart();
    await until(async () => (await rowsOf(world)).every(({ keyVersion }) => keyVersion !== before));
    deepEqual(await read(world, id), stored);
  });

  test('that are of no form are counted, and delay no other', async () => {
    const world = await worldWith();
    const subject = subjects.contentsLogged(accountId);
    await world.bus.publishFact(subject, randomUUID(), { generationId: 'gen-1' });
    await world.bus.publishFact(subject, randomUUID(), { generationId: 7 });
    await isStored(world, await say(world));
    await until(async () => (await counted(world, 'unreadable')) === 2);
  });
});
