import { deepEqual, equal, rejects } from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { inspectApiKey } from '@sluice/api-key';
import type { KeyManagement } from '@sluice/envelope';
import { Fault } from '@sluice/errors';
import { type EventStore, inMemoryEventStore } from '@sluice/es';
import type { ReceivedContext } from '@sluice/rpc';
import { Secret } from '@sluice/boot';
import { systemClock } from '@sluice/clock-and-ids';
import { describe, test } from 'vitest';
import { apiKeyEvents } from '../store/api-key-events.ts';
import type { IssueAttempt, IssueAttempts, IssueCommand } from '../store/issue-attempts.ts';
import { issueApiKey, type WantedApiKey } from './issue-api-key.ts';

const wanted: WantedApiKey = {
  kind: 'regular',
  name: 'Production',
  workspaceId: '',
  limitNanoUsd: null,
  limitReset: null,
  includeByokInLimit: false,
  expiresAt: null,
  creatorUserId: null,
  externalUser: null,
  source: null,
  suppliedSecret: null,
  keepSecret: false,
};

/** Notes as a table keeps them; `ageMs` is how old all of them are. */
function notes(): IssueAttempts & { ageMs: number } {
  const hashes = new Map<string, string>();
  const sealed = new Map<string, IssueAttempt['sealed']>();
  const id = ({ accountId, commandId }: IssueCommand) => `${accountId}/${commandId}`;
  return {
    ageMs: 0,
    async note(attempt) {
      const hash = hashes.get(id(attempt)) ?? attempt.hash;
      if (!hashes.has(id(attempt))) sealed.set(id(attempt), attempt.sealed);
      hashes.set(id(attempt), hash);
      return { hash, ageMs: this.ageMs, sealed: sealed.get(id(attempt)) ?? undefined };
    },
    async eraseSecret(command) {
      sealed.delete(id(command));
    },
    async eraseOldSecrets() {},
    async replace(attempt, hashBefore) {
      const isThere = hashes.get(id(attempt)) === hashBefore;
      if (isThere) hashes.set(id(attempt), attempt.hash);
      return isThere;
    },
  };
}

const defaultWorkspaceId = '0190a000-0000-7000-8000-000000000010';

/** Wraps nothing: what is sealed is of no interest here. */
const keyManagement: KeyManagement = {
  wrap: async (dataKey) => ({ keyVersion: '1', wrapped: Buffer.from(dataKey) }),
  unwrap: async ({ wrapped }) => Buffer.from(wrapped),
  newestVersion: async () => '1',
};

/** Issuing without any read model. */
function issuing({ store = inMemoryEventStore(systemClock), attempts = notes() } = {}) {
  const issue = issueApiKey({
    handle: apiKeyEvents.handler(store),
    directory: {
      account: async () => ({ isPersonal: false, ownerUserId: 'user_1', defaultWorkspaceId }),
      workspaceExists: async () => true,
      workspaceIsAlive: async () => true,
      workspaceHasMember: async () => true,
      members: async (_accountId, userIds) => userIds.map((userId) => ({ userId, isActive: true })),
      workspaceMembers: async (_accountId, _workspaceId, userIds) => userIds,
    },
    peppers: { currentVersion: 1, byVersion: new Map([[1, new Secret('pepper')]]) },
    keyManagement,
    randomBytes,
    attempts,
    closings: { isOpen: async () => false },
    loadKey: async (hash) => (await apiKeyEvents.load(store, hash)).state,
    shown: { keys: async () => undefined },
  });
  const context = (commandId: string, accountId = 'org_1'): ReceivedContext => ({
    commandId,
    requestId: 'req-1',
    accountId,
    actor: { type: 'management_key', id: 'mk' },
    occurredAt: '2026-01-02T03:04:05.678Z',
  });
  return (commandId: string, accountId?: string, keepSecret = false) =>
    issue({ ...wanted, keepSecret }, context(commandId, accountId));
}

describe('a command that comes again', () => {
  test('makes no second key, also in another process', async () => {
    const place = { store: inMemoryEventStore(systemClock), attempts: notes() };
    const command = randomUUID();
    const issue = issuing(place);
    const { hash } = (await issue(command)).state;
    const conflict = { code: 'conflict', metadata: { hash } };
    await rejects(issue(command), conflict);
    await rejects(issuing(place)(command), conflict);
  });

  test('while the first still runs shares its key', async () => {
    const issue = issuing();
    const command = randomUUID();
    const [one, other] = await Promise.all([issue(command), issue(command)]);
    deepEqual(one, other);
  });

  test('after it failed is the same key, with the same secret', async () => {
    const store = inMemoryEventStore(systemClock);
    const command = randomUUID();
    let answers = 0;
    const append: EventStore['append'] = async (...call) => {
      const result = await store.append(...call);
      if (answers++ === 0) throw new Fault('event_store_unavailable');
      return result;
    };
    const issue = issuing({ store: { ...store, append } });
    await rejects(issue(command), { code: 'event_store_unavailable' });
    const { state, secret } = await issue(command);
    equal(inspectApiKey(secret)?.hash, state.hash);
    equal(answers, 1, 'the first attempt has written it');
  });

  test('after its process died waits until that writes nothing any more, then begins anew', async () => {
    const attempts = notes();
    const store = inMemoryEventStore(systemClock);
    const append = () => Promise.reject(new Fault('event_store_unavailable'));
    const command = randomUUID();
    const first = issuing({ attempts, store: { ...store, append } });
    await rejects(first(command), { code: 'event_store_unavailable' });
    const other = issuing({ attempts, store });
    await rejects(other(command), { code: 'unavailable' });
    attempts.ageMs = 60_000;
    equal((await other(command)).state.status, 'issued');
    await rejects(issuing({ attempts, store })(command), { code: 'conflict' });
  });

  test('while its secret is kept is answered as before, by any process, and never after its delivery', async () => {
    const place = { store: inMemoryEventStore(systemClock), attempts: notes() };
    const accountId = 'org_1';
    const commandId = randomUUID();
    const [one, other] = [issuing(place), issuing(place)];
    const { secret, state } = await one(commandId, accountId, true);
    for (const issue of [one, other]) {
      const again = await issue(commandId, accountId, true);
      deepEqual([again.secret, again.state.hash], [secret, state.hash]);
    }
    await place.attempts.eraseSecret({ accountId, commandId });
    const conflict = { code: 'conflict', metadata: { hash: state.hash } };
    await rejects(other(commandId, accountId, true), conflict);
  });

  test('goes on with the secret that a process that died has kept, without a wait', async () => {
    const attempts = notes();
    const store = inMemoryEventStore(systemClock);
    const secrets: string[] = [];
    const append: EventStore['append'] = () => Promise.reject(new Fault('event_store_unavailable'));
    const command = randomUUID();
    const first = issuing({ attempts, store: { ...store, append } });
    await rejects(first(command, 'org_1', true), { code: 'event_store_unavailable' });
    for (const issue of [issuing({ attempts, store }), issuing({ attempts, store })])
      secrets.push((await issue(command, 'org_1', true)).secret);
    equal(new Set(secrets).size, 1);
  });

  test('for another account is another command', async () => {
    const issue = issuing();
    const command = randomUUID();
    const one = await issue(command, 'org_1');
    const other = await issue(command, 'org_2');
    equal(one.secret === other.secret, false);
  });
});
