import { deepEqual, equal, match, notEqual, ok, rejects } from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { eventually } from '@sluice/patience';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import { inspectApiKey, mintApiKey } from '@sluice/api-key';
import { limitStream, subjectFilters } from '@sluice/bus';
import { Fault } from '@sluice/errors';
import { type IssueKeyRequest, KeyKind } from '@sluice/protos/sluice/key/v1/key';
import { KeyChanged } from '@sluice/protos/sluice/key/v1/key_events';
import { LimitsSet } from '@sluice/protos/sluice/limit/v1/limit_events';
import { Secret } from '@sluice/boot';
import { systemClock } from '@sluice/clock-and-ids';
import {
  aContext,
  defaultWorkspaceId,
  type KeyWorld,
  keyWorld,
  otherWorkspaceId,
} from './testing/key-world.ts';

let world: KeyWorld;
let changes: KeyChanged[];

beforeEach(async () => {
  world = await keyWorld({ postgresUrl: inject('postgresUrl') });
  changes = [];
  const signal = new AbortController().signal;
  const note = ({ data }: { data: unknown }) => void changes.push(KeyChanged.fromJSON(data));
  await world.bus.subscribe(subjectFilters.keyChanged, note, { signal });
});
afterEach(() => world.stop());

function peppers(texts: Readonly<Record<number, string>>) {
  const versions = Object.entries(texts).map(
    ([version, text]) => [Number(version), new Secret(text)] as const,
  );
  return {
    currentVersion: Math.max(...versions.map(([version]) => version)),
    byVersion: new Map(versions),
  };
}

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
  const { key, secret } = await world.client.issueKey({
    context: aContext(),
    ...wanted,
    ...overrides,
  });
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
  world.client.listKeys({
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
    deepEqual(await world.client.getKey({ accountId: 'org_1', hash: key.hash }), { key });
    deepEqual((await world.client.resolveKey({ hash: key.hash, secret })).key, key);
    deepEqual((await list()).keys, [key]);
  });

  test('keeps neither the secret nor its digest where they could be read', async () => {
    const { key, secret } = await issue();
    const stored = JSON.stringify(
      await Array.fromAsync(world.eventStore.read(`apiKey-${key.hash}`)),
      bigintText,
    );
    const rows = await world.database.query({ text: 'SELECT * FROM api_keys', values: [] });
    ok(!stored.includes(secret) && !JSON.stringify(rows, bigintText).includes(secret));
    ok(!JSON.stringify(rows, bigintText).includes('hmac'));
    ok(!JSON.stringify(key, bigintText).includes('hmac'));
  });

  test('of the same command at the same time makes one key', async () => {
    const sent = aContext();
    const [one, other] = await Promise.all([issue({ context: sent }), issue({ context: sent })]);
    deepEqual(one, other);
    deepEqual(await hashesOf(), [one.key.hash]);
  });

  test('of the same command later is a conflict that names the key', async () => {
    const sent = aContext();
    const { key } = await issue({ context: sent });
    await rejects(issue({ context: sent }), { code: 'conflict', metadata: { hash: key.hash } });
    deepEqual(await hashesOf(), [key.hash]);
  });

  test('of the same command after a lost answer is the same key, with the same secret', async () => {
    const log = world.eventStore;
    let lose = true;
    const append: typeof log.append = async (...call) => {
      const result = await log.append(...call);
      if (!lose) return result;
      lose = false;
      throw new Fault('event_store_unavailable');
    };
    await world.restart({ eventStore: { ...log, append } });
    const sent = aContext();
    await rejects(issue({ context: sent }), { code: 'event_store_unavailable' });
    const { key, secret } = await issue({ context: sent });
    deepEqual((await world.client.resolveKey({ hash: key.hash, secret })).key, key);
    deepEqual(await hashesOf(), [key.hash]);
  });

  test('of the same command is a conflict also in a process whose read model is behind', async () => {
    const sent = aContext();
    const { key } = await issue({ context: sent });
    await world.database.query({ text: 'DELETE FROM api_keys', values: [] });
    await world.restart();
    await rejects(issue({ context: sent }), { code: 'conflict', metadata: { hash: key.hash } });
  });

  test('waits until an attempt that another process began can write nothing any more', async () => {
    const log = world.eventStore;
    const append = async () => {
      throw new Fault('event_store_unavailable');
    };
    await world.restart({ eventStore: { ...log, append } });
    const sent = aContext();
    await rejects(issue({ context: sent }), { code: 'event_store_unavailable' });
    await world.restart();
    await rejects(issue({ context: sent }), { code: 'unavailable' });
    const text = `UPDATE issue_attempts SET noted_at = noted_at - interval '1 minute'`;
    await world.database.query({ text, values: [] });
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
    const { key, secret } = await issue({ kind, context: aContext({ actorType: 'system' }) });
    match(secret, /^mk-sluice-v1-/);
    deepEqual(await hashesOf(), [], 'management keys are not listed');
    const change = { context: aContext(), hash: key.hash, ...unchanged, disabled: true };
    await rejects(world.client.updateKey(change), { code: 'not_found' });
  });
});

describe('changing a key', () => {
  test('answers it as it is then, everywhere', async () => {
    const { key, secret } = await issue();
    const changed = await world.client.updateKey({
      context: aContext(),
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
    deepEqual((await world.client.resolveKey({ hash: key.hash, secret })).key, changed.key);
    deepEqual(await world.client.getKey({ accountId: 'org_1', hash: key.hash }), changed);
  });

  test('in nothing answers it unchanged', async () => {
    const { key } = await issue();
    const answer = await world.client.updateKey({
      context: aContext(),
      hash: key.hash,
      ...unchanged,
    });
    deepEqual(answer, { key });
  });

  test('again with the same command changes nothing more', async () => {
    const { key } = await issue();
    const request = { context: aContext(), hash: key.hash, ...unchanged, name: 'Staging' };
    const first = await world.client.updateKey(request);
    await world.client.updateKey({
      context: aContext(),
      hash: key.hash,
      ...unchanged,
      name: 'Third',
    });
    equal((await world.client.updateKey(request)).key?.name, 'Third');
    equal(first.key?.name, 'Staging');
  });
});

describe('another account', () => {
  test('does not see, change or delete a key', async () => {
    const { key } = await issue();
    const stranger = () => aContext({ accountId: 'org_2' });
    const { hash } = key;
    await rejects(world.client.getKey({ accountId: 'org_2', hash }), { code: 'not_found' });
    await rejects(
      world.client.updateKey({ context: stranger(), hash, ...unchanged, disabled: true }),
      {
        code: 'not_found',
      },
    );
    await rejects(world.client.deleteKey({ context: stranger(), hash }), { code: 'not_found' });
    deepEqual(await hashesOf({ accountId: 'org_2' }), []);
    deepEqual((await list()).keys, [key]);
  });
});

describe('a deleted key', () => {
  test('is gone at once, for good', async () => {
    const { key, secret } = await issue();
    await world.client.deleteKey({ context: aContext(), hash: key.hash });
    await rejects(world.client.resolveKey({ hash: key.hash, secret }), { code: 'not_found' });
    await rejects(world.client.getKey({ accountId: 'org_1', hash: key.hash }), {
      code: 'not_found',
    });
    await rejects(world.client.deleteKey({ context: aContext(), hash: key.hash }), {
      code: 'not_found',
    });
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
      await rejects(world.client.resolveKey(request), { code: 'not_found' });
  });

  test('finds nothing when the digest was made under another pepper', async () => {
    const { secret, key } = await issue();
    // The database is then like a new one, which fills from the events. With the check value, the service would not
    // start.
    const forget = () => world.database.query({ text: 'DELETE FROM pepper_checks', values: [] });
    const another = peppers({ 1: 'another pepper that is also long enough' });
    await world.restart({ peppers: another }, forget);
    await rejects(world.client.resolveKey({ hash: key.hash, secret }), { code: 'not_found' });
  });

  test('still finds keys issued under an older pepper', async () => {
    const { secret, key } = await issue();
    const next = {
      1: 'a pepper of at least 32 characters',
      2: 'the next pepper, long enough as well',
    };
    await world.restart({ peppers: peppers(next) });
    deepEqual((await world.client.resolveKey({ hash: key.hash, secret })).key, key);
    const { hash } = (await issue()).key;
    const [event] = await Array.fromAsync(world.eventStore.read(`apiKey-${hash}`));
    match(JSON.stringify(event?.data), /"pepperVersion":2/);
  });

  test('answers a disabled and an expired key: others decide what that means', async () => {
    const { key, secret } = await issue();
    const change = { context: aContext(), hash: key.hash, ...unchanged, disabled: true };
    await world.client.updateKey(change);
    equal((await world.client.resolveKey({ hash: key.hash, secret })).key?.disabled, true);
  });
});

describe('listing keys', () => {
  test('shows those of one workspace, newest first, disabled ones when asked', async () => {
    const first = await issue({ name: 'first' });
    await eventually(() => notEqual(systemClock.now().toISOString(), first.key.createdAt));
    const second = await issue({ name: 'second' });
    const other = await issue({ workspaceId: otherWorkspaceId });
    const hash = first.key.hash;
    await world.client.updateKey({ context: aContext(), hash, ...unchanged, disabled: true });
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
    const request = { context: aContext(), hash: key.hash, ...unchanged, disabled: true };
    await world.client.updateKey(request);
    await world.client.deleteKey({ context: aContext(), hash: key.hash });
    await eventually(() => ok(about(key.hash).length >= 3));
    for (const { hash, accountId } of changes)
      deepEqual({ hash, accountId }, { hash: key.hash, accountId: 'org_1' });
    const said = new Map(changes.map(({ revision, isRevoked }) => [revision, isRevoked]));
    deepEqual([said.get(1n), said.get(2n)], [true, true]);
  });

  test('made while the bus was away is told when it is back', async () => {
    const { key } = await issue();
    await eventually(() => ok(about(key.hash).length >= 2));
    world.bus.setConnected(false);
    const request = { context: aContext(), hash: key.hash, ...unchanged, disabled: true };
    await world.client.updateKey(request);
    changes.length = 0;
    world.bus.setConnected(true);
    await eventually(() => ok(about(key.hash).length >= 1));
  });
});

describe('a limit', () => {
  async function facts(): Promise<LimitsSet[]> {
    const seen: LimitsSet[] = [];
    await world.bus.ensureStream(limitStream);
    void world.bus.consume({
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
    const request = { context: aContext(), hash: key.hash, ...unchanged };
    await world.client.updateKey({ ...request, name: 'Renamed' });
    await world.client.updateKey({
      ...request,
      context: aContext(),
      limit: { limitNanoUsd: 7n },
      limitReset: { limitReset: undefined },
    });
    await eventually(() => equal(seen.at(-1)?.limits[0]?.limitNanoUsd, 7n));
    await world.client.deleteKey({ context: aContext(), hash: key.hash });
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
    const request = { context: aContext(), hash: key.hash, ...unchanged };
    await world.client.updateKey({ ...request, limit: { limitNanoUsd: 7n } });
    await eventually(() => equal(seen.at(-1)?.scopeId, key.hash));
    equal(seen.at(-1)?.limits[0]?.limitNanoUsd, 7n);
    await world.client.updateKey({
      ...request,
      context: aContext(),
      limit: { limitNanoUsd: undefined },
    });
    await eventually(() => deepEqual(seen.at(-1)?.limits, []));
    equal(seen.at(-1)?.scopeId, key.hash);
  });

  test('set while the bus was away is told when it is back', async () => {
    const seen = await facts();
    world.bus.setConnected(false);
    const { key } = await issue();
    world.bus.setConnected(true);
    await eventually(() => equal(seen[0]?.scopeId, key.hash));
  });
});

function bigintText(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
