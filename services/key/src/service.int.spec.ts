import { deepEqual, equal, match, notEqual, ok, rejects } from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@sluice/patience';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import { inspectApiKey, mintApiKey } from '@sluice/api-key';
import { type InMemoryBus, inMemoryBus, limitStream, subjectFilters } from '@sluice/bus';
import { type KeyManagement, localKeyManagement } from '@sluice/envelope';
import { Fault } from '@sluice/errors';
import { type EventStore, inMemoryEventStore } from '@sluice/es';
import { type IssueKeyRequest, KeyKind, KeyServiceService } from '@sluice/protos/sluice/key/v1/key';
import { KeyChanged } from '@sluice/protos/sluice/key/v1/key_events';
import { LimitsSet } from '@sluice/protos/sluice/limit/v1/limit_events';
import { testDatabase, type TestDatabase } from '@sluice/read-model/testing';
import { type RpcClient, rpcClient, type RpcServer, startRpcServer } from '@sluice/rpc';
import { Secret } from '@sluice/boot';
import { systemClock } from '@sluice/clock-and-ids';
import { createLogger } from '@sluice/logging';
import { createTelemetry } from '@sluice/telemetry';
import type { AggregateService } from '@sluice/boot/aggregate-service';
import { createService } from './service.ts';

const token = 'a-token';
const defaultWorkspaceId = '0190a000-0000-7000-8000-000000000010';
const otherWorkspaceId = '0190a000-0000-7000-8000-000000000011';
const pepper = 'a pepper of at least 32 characters';
let database: TestDatabase;
let eventStore: EventStore;
let bus: InMemoryBus;
let service: AggregateService;
let server: RpcServer;
let client: RpcClient<typeof KeyServiceService>;
let changes: KeyChanged[];
let folder: string;
let keyManagement: KeyManagement;

function newService(peppers: Readonly<Record<number, string>> = { 1: pepper }): AggregateService {
  const versions = Object.keys(peppers).map(Number);
  return createService({
    eventStore,
    database,
    bus,
    directory: {
      account: async () => ({ isPersonal: false, ownerUserId: '', defaultWorkspaceId }),
      workspaceExists: async (accountId, workspaceId) =>
        workspaceId === defaultWorkspaceId ||
        (accountId === 'org_1' && workspaceId === otherWorkspaceId),
      workspaceIsAlive: async (accountId, workspaceId) =>
        workspaceId === defaultWorkspaceId ||
        (accountId === 'org_1' && workspaceId === otherWorkspaceId),
      workspaceHasMember: async () => true,
      members: async (_accountId, userIds) => userIds.map((userId) => ({ userId, isActive: true })),
      workspaceMembers: async (_accountId, _workspaceId, userIds) => userIds,
    },
    peppers: {
      currentVersion: Math.max(...versions),
      byVersion: new Map(versions.map((version) => [version, new Secret(peppers[version] ?? '')])),
    },
    keyManagement,
    randomBytes,
    clock: systemClock,
    logger: createLogger({ service: 'key', level: 'silent' }),
    telemetry: createTelemetry({ serviceName: 'key', otlpEndpoint: undefined }),
  });
}

async function serve(next: AggregateService): Promise<void> {
  service = next;
  await service.start();
  const onBug = (error: unknown) => {
    throw error;
  };
  server = await startRpcServer({ services: service.rpc, address: '127.0.0.1:0', token, onBug });
  client = rpcClient(KeyServiceService, { address: server.address, token, deadlineMs: 5_000 });
}

async function stop(): Promise<void> {
  client.close();
  await server.stop();
  await service.stop();
}

/** Another process, on the same database. */
async function restartOn(store: EventStore): Promise<void> {
  await stop();
  eventStore = store;
  await serve(newService());
}

beforeEach(async () => {
  database = await testDatabase({ url: inject('postgresUrl') });
  folder = await mkdtemp(join(tmpdir(), 'sluice-key-'));
  keyManagement = await localKeyManagement(join(folder, 'envelope-keys'));
  eventStore = inMemoryEventStore({ now: () => systemClock.now() });
  bus = inMemoryBus();
  changes = [];
  const signal = new AbortController().signal;
  const note = ({ data }: { data: unknown }) => void changes.push(KeyChanged.fromJSON(data));
  await bus.subscribe(subjectFilters.keyChanged, note, { signal });
  await serve(newService());
});
afterEach(async () => {
  await stop();
  await bus.stop();
  await database.drop();
  await rm(folder, { recursive: true });
});

const context = (
  overrides: { commandId?: string; accountId?: string; actorType?: string } = {},
) => ({
  commandId: randomUUID(),
  requestId: 'req-1',
  accountId: 'org_1',
  actorType: 'management_key',
  actorId: 'ab'.repeat(32),
  traceparent: '',
  ...overrides,
});
const wanted = {
  kind: KeyKind.KEY_KIND_REGULAR,
  name: 'Production',
  workspaceId: '',
  limitNanoUsd: 5_000_000_000n,
  limitReset: 'monthly',
  includeByokInLimit: false,
  expiresAt: '2099-01-31T12:00:00Z',
  creatorUserId: 'user_1',
};
const issue = async (overrides: Partial<IssueKeyRequest> = {}) => {
  const { key, secret } = await client.issueKey({ context: context(), ...wanted, ...overrides });
  ok(key, 'no key in the answer');
  return { key, secret };
};
const unchanged = {
  name: undefined,
  disabled: undefined,
  includeByokInLimit: undefined,
  limit: undefined,
  limitReset: undefined,
};
const list = (overrides: object = {}) =>
  client.listKeys({
    accountId: 'org_1',
    workspaceId: '',
    includeDisabled: false,
    offset: 0,
    ...overrides,
  });
const hashesOf = async (overrides: object = {}) =>
  (await list(overrides)).keys.map(({ hash }) => hash);

describe('issuing a key', () => {
  test('answers the key and its secret, and the key is there at once', async () => {
    const { key, secret } = await issue();
    deepEqual(inspectApiKey(secret), { kind: 'regular', hash: key.hash });
    match(key.label, /^sk-sluice-v1-...\.\.\....$/);
    deepEqual([key.workspaceId, key.disabled], [defaultWorkspaceId, false]);
    equal(key.expiresAt, '2099-01-31T12:00:00.000Z');
    deepEqual(await client.getKey({ accountId: 'org_1', hash: key.hash }), { key });
    deepEqual((await client.resolveKey({ hash: key.hash, secret })).key, key);
    deepEqual((await list()).keys, [key]);
  });

  test('keeps neither the secret nor its digest where they could be read', async () => {
    const { key, secret } = await issue();
    const stored = JSON.stringify(
      await Array.fromAsync(eventStore.read(`apiKey-${key.hash}`)),
      bigintText,
    );
    const rows = await database.query({ text: 'SELECT * FROM api_keys', values: [] });
    ok(!stored.includes(secret) && !JSON.stringify(rows, bigintText).includes(secret));
    ok(!JSON.stringify(rows, bigintText).includes('hmac'));
    ok(!JSON.stringify(key, bigintText).includes('hmac'));
  });

  test('of the same command at the same time makes one key', async () => {
    const sent = context();
    const [one, other] = await Promise.all([issue({ context: sent }), issue({ context: sent })]);
    deepEqual(one, other);
    deepEqual(await hashesOf(), [one.key.hash]);
  });

  test('of the same command later is a conflict that names the key', async () => {
    const sent = context();
    const { key } = await issue({ context: sent });
    await rejects(issue({ context: sent }), { code: 'conflict', metadata: { hash: key.hash } });
    deepEqual(await hashesOf(), [key.hash]);
  });

  test('of the same command after a lost answer is the same key, with the same secret', async () => {
    const log = eventStore;
    let lose = true;
    await restartOn({
      ...log,
      async append(...call) {
        const result = await log.append(...call);
        if (!lose) return result;
        lose = false;
        throw new Fault('event_store_unavailable');
      },
    });
    const sent = context();
    await rejects(issue({ context: sent }), { code: 'event_store_unavailable' });
    const { key, secret } = await issue({ context: sent });
    deepEqual((await client.resolveKey({ hash: key.hash, secret })).key, key);
    deepEqual(await hashesOf(), [key.hash]);
  });

  test('of the same command is a conflict also in a process whose read model is behind', async () => {
    const sent = context();
    const { key } = await issue({ context: sent });
    await database.query({ text: 'DELETE FROM api_keys', values: [] });
    await restartOn(eventStore);
    await rejects(issue({ context: sent }), { code: 'conflict', metadata: { hash: key.hash } });
  });

  test('waits until an attempt that another process began can write nothing any more', async () => {
    const log = eventStore;
    const append = async () => {
      throw new Fault('event_store_unavailable');
    };
    await restartOn({ ...log, append });
    const sent = context();
    await rejects(issue({ context: sent }), { code: 'event_store_unavailable' });
    await restartOn(log);
    await rejects(issue({ context: sent }), { code: 'unavailable' });
    const text = `UPDATE issue_attempts SET noted_at = noted_at - interval '1 minute'`;
    await database.query({ text, values: [] });
    const { key } = await issue({ context: sent });
    deepEqual(await hashesOf(), [key.hash]);
  });

  test('into a named workspace is possible when the account has it', async () => {
    const { key } = await issue({ workspaceId: otherWorkspaceId });
    equal(key.workspaceId, otherWorkspaceId);
    for (const workspaceId of [randomUUID(), 'default'])
      await rejects(issue({ workspaceId }), (error: Error & { metadata?: unknown }) => {
        match(JSON.stringify(error.metadata), /"path":"workspace_id"/);
        return true;
      });
  });

  test('with malformed values is refused with all issues', async () => {
    const wrong = { name: '', limitNanoUsd: -1n, limitReset: 'yearly', expiresAt: 'tomorrow' };
    await rejects(issue(wrong), (error: Error & { code?: string; metadata?: object }) => {
      equal(error.code, 'invalid_request');
      const { issues } = error.metadata as { issues: { path: string }[] };
      deepEqual(
        issues.map(({ path }) => path),
        ['name', 'limit', 'limit_reset', 'expires_at'],
      );
      return true;
    });
    await rejects(issue({ kind: KeyKind.KEY_KIND_UNSPECIFIED }), { code: 'invalid_request' });
  });

  test('of a management key is not for a key', async () => {
    const kind = KeyKind.KEY_KIND_MANAGEMENT;
    await rejects(issue({ kind }), { code: 'permission_denied' });
    const { key, secret } = await issue({ kind, context: context({ actorType: 'system' }) });
    match(secret, /^mk-sluice-v1-/);
    deepEqual(await hashesOf(), [], 'management keys are not listed');
    const change = { context: context(), hash: key.hash, ...unchanged, disabled: true };
    await rejects(client.updateKey(change), { code: 'not_found' });
  });
});

describe('changing a key', () => {
  test('answers it as it is then, everywhere', async () => {
    const { key, secret } = await issue();
    const changed = await client.updateKey({
      context: context(),
      hash: key.hash,
      name: 'Staging',
      disabled: true,
      includeByokInLimit: true,
      limit: { limitNanoUsd: undefined },
      limitReset: { limitReset: undefined },
    });
    const { updatedAt, ...rest } = changed.key ?? key;
    const { updatedAt: _before, ...before } = key;
    deepEqual(rest, {
      ...before,
      name: 'Staging',
      disabled: true,
      includeByokInLimit: true,
      limitNanoUsd: undefined,
      limitReset: undefined,
    });
    ok(updatedAt >= key.createdAt);
    deepEqual((await client.resolveKey({ hash: key.hash, secret })).key, changed.key);
    deepEqual(await client.getKey({ accountId: 'org_1', hash: key.hash }), changed);
  });

  test('in nothing answers it unchanged', async () => {
    const { key } = await issue();
    const answer = await client.updateKey({ context: context(), hash: key.hash, ...unchanged });
    deepEqual(answer, { key });
  });

  test('again with the same command changes nothing more', async () => {
    const { key } = await issue();
    const request = { context: context(), hash: key.hash, ...unchanged, name: 'Staging' };
    const first = await client.updateKey(request);
    await client.updateKey({ context: context(), hash: key.hash, ...unchanged, name: 'Third' });
    equal((await client.updateKey(request)).key?.name, 'Third');
    equal(first.key?.name, 'Staging');
  });
});

describe('another account', () => {
  test('does not see, change or delete a key', async () => {
    const { key } = await issue();
    const stranger = () => context({ accountId: 'org_2' });
    const { hash } = key;
    await rejects(client.getKey({ accountId: 'org_2', hash }), { code: 'not_found' });
    await rejects(client.updateKey({ context: stranger(), hash, ...unchanged, disabled: true }), {
      code: 'not_found',
    });
    await rejects(client.deleteKey({ context: stranger(), hash }), { code: 'not_found' });
    deepEqual(await hashesOf({ accountId: 'org_2' }), []);
    deepEqual((await list()).keys, [key]);
  });
});

describe('a deleted key', () => {
  test('is gone at once, for good', async () => {
    const { key, secret } = await issue();
    await client.deleteKey({ context: context(), hash: key.hash });
    await rejects(client.resolveKey({ hash: key.hash, secret }), { code: 'not_found' });
    await rejects(client.getKey({ accountId: 'org_1', hash: key.hash }), { code: 'not_found' });
    await rejects(client.deleteKey({ context: context(), hash: key.hash }), { code: 'not_found' });
    deepEqual(await hashesOf({ includeDisabled: true }), []);
  });
});

describe('resolving a secret', () => {
  test('finds nothing for a key that was never issued, or for a hash that is not the secret’s', async () => {
    const { key, secret } = await issue();
    const stranger = mintApiKey('regular', randomBytes);
    const strangerHash = inspectApiKey(stranger)?.hash ?? '';
    for (const request of [
      { hash: strangerHash, secret: stranger },
      { hash: key.hash, secret: stranger },
      { hash: strangerHash, secret },
      { hash: key.hash, secret: '' },
      { hash: '', secret },
    ])
      await rejects(client.resolveKey(request), { code: 'not_found' });
  });

  test('finds nothing when the digest was made under another pepper', async () => {
    const { secret, key } = await issue();
    await stop();
    // The database is now like a new one, which fills from the events. With the check value, the service would not
    // start.
    await database.query({ text: 'DELETE FROM pepper_checks', values: [] });
    await serve(newService({ 1: 'another pepper that is also long enough' }));
    await rejects(client.resolveKey({ hash: key.hash, secret }), { code: 'not_found' });
  });

  test('still finds keys issued under an older pepper', async () => {
    const { secret, key } = await issue();
    await stop();
    await serve(newService({ 1: pepper, 2: 'the next pepper, long enough as well' }));
    deepEqual((await client.resolveKey({ hash: key.hash, secret })).key, key);
    const next = await issue();
    const [event] = await Array.fromAsync(eventStore.read(`apiKey-${next.key.hash}`));
    match(JSON.stringify(event?.data), /"pepperVersion":2/);
  });

  test('answers a disabled and an expired key: others decide what that means', async () => {
    const { key, secret } = await issue();
    const change = { context: context(), hash: key.hash, ...unchanged, disabled: true };
    await client.updateKey(change);
    equal((await client.resolveKey({ hash: key.hash, secret })).key?.disabled, true);
  });
});

describe('listing keys', () => {
  test('shows those of one workspace, newest first, disabled ones when asked', async () => {
    const first = await issue({ name: 'first' });
    await eventually(() => notEqual(systemClock.now().toISOString(), first.key.createdAt));
    const second = await issue({ name: 'second' });
    const other = await issue({ workspaceId: otherWorkspaceId });
    const hash = first.key.hash;
    await client.updateKey({ context: context(), hash, ...unchanged, disabled: true });
    deepEqual(await hashesOf(), [second.key.hash]);
    deepEqual(await hashesOf({ includeDisabled: true }), [second.key.hash, hash]);
    deepEqual(await hashesOf({ includeDisabled: true, offset: 1 }), [hash]);
    deepEqual(await hashesOf({ workspaceId: otherWorkspaceId }), [other.key.hash]);
    deepEqual(await hashesOf({ workspaceId: otherWorkspaceId.toUpperCase() }), [other.key.hash]);
  });

  test('refuses a workspace that the account does not have', async () => {
    for (const workspaceId of [randomUUID(), 'default'])
      await rejects(list({ workspaceId }), { code: 'invalid_request' });
  });
});

describe('a change', () => {
  const about = (hash: string) => changes.filter((change) => change.hash === hash);

  test('is told to the others, each time', async () => {
    const { key } = await issue();
    const request = { context: context(), hash: key.hash, ...unchanged, disabled: true };
    await client.updateKey(request);
    await client.deleteKey({ context: context(), hash: key.hash });
    await eventually(() => ok(about(key.hash).length >= 3));
    for (const { hash, accountId } of changes)
      deepEqual({ hash, accountId }, { hash: key.hash, accountId: 'org_1' });
    const said = new Map(changes.map(({ revision, isRevoked }) => [revision, isRevoked]));
    deepEqual([said.get(1n), said.get(2n)], [true, true]);
  });

  test('made while the bus was away is told when it is back', async () => {
    const { key } = await issue();
    await eventually(() => ok(about(key.hash).length >= 2));
    bus.setConnected(false);
    const request = { context: context(), hash: key.hash, ...unchanged, disabled: true };
    await client.updateKey(request);
    changes.length = 0;
    bus.setConnected(true);
    await eventually(() => ok(about(key.hash).length >= 1));
  });
});

describe('a limit', () => {
  async function facts(): Promise<LimitsSet[]> {
    const seen: LimitsSet[] = [];
    await bus.ensureStream(limitStream);
    void bus.consume({
      stream: limitStream.name,
      durable: 'test',
      filter: subjectFilters.limitsSet,
      batchMax: 10,
      signal: new AbortController().signal,
      handle: async (messages) =>
        void seen.push(...messages.map(({ data }) => LimitsSet.fromJSON(data))),
    });
    return seen;
  }

  test('is told to the ledger whenever it changed, with its revision, and when the key is gone', async () => {
    const seen = await facts();
    const { key } = await issue();
    await eventually(() => equal(seen.length, 1));
    const request = { context: context(), hash: key.hash, ...unchanged };
    await client.updateKey({ ...request, name: 'Renamed' });
    await client.updateKey({
      ...request,
      context: context(),
      limit: { limitNanoUsd: 7n },
      limitReset: { limitReset: undefined },
    });
    await eventually(() => equal(seen.at(-1)?.limits[0]?.limitNanoUsd, 7n));
    await client.deleteKey({ context: context(), hash: key.hash });
    await eventually(() => equal(seen.at(-1)?.limits.length, 0));
    const scope = { accountId: 'org_1', scopeKind: 'key', scopeId: key.hash, includeByok: false };
    const limits = [{ windowKind: 'monthly', limitNanoUsd: 5_000_000_000n }];
    deepEqual(seen[0], { limitId: `key/${key.hash}@0`, revision: 0n, ...scope, limits });
    deepEqual(seen.find(({ limits: [limit] }) => limit?.limitNanoUsd === 7n)?.limits, [
      { windowKind: 'lifetime', limitNanoUsd: 7n },
    ]);
    const last = seen.at(-1);
    ok(last && last.revision > 2n, String(last?.revision));
    deepEqual([last.scopeId, last.accountId], [key.hash, 'org_1']);
    ok(seen.length <= 4, 'a new name is no new limit');
  });

  test('that there never was is not told; one that comes later is, and that it is gone', async () => {
    const seen = await facts();
    const { key } = await issue({ limitNanoUsd: undefined });
    const { key: limited } = await issue();
    await eventually(() => equal(seen[0]?.scopeId, limited.hash));
    const request = { context: context(), hash: key.hash, ...unchanged };
    await client.updateKey({ ...request, limit: { limitNanoUsd: 7n } });
    await eventually(() => equal(seen.at(-1)?.scopeId, key.hash));
    equal(seen.at(-1)?.limits[0]?.limitNanoUsd, 7n);
    await client.updateKey({ ...request, context: context(), limit: { limitNanoUsd: undefined } });
    await eventually(() => deepEqual(seen.at(-1)?.limits, []));
    equal(seen.at(-1)?.scopeId, key.hash);
  });

  test('set while the bus was away is told when it is back', async () => {
    const seen = await facts();
    bus.setConnected(false);
    const { key } = await issue();
    bus.setConnected(true);
    await eventually(() => equal(seen[0]?.scopeId, key.hash));
  });
});

function bigintText(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
