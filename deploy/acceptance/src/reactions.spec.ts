import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ConnectedEventStore } from '@sluice/eventstore';
import { eventually } from '@sluice/patience';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { anEventOfOurs, eventStoreOf, namesInSource, readStreams } from './event-log.ts';
import { list, manage, text } from './http.ts';
import { type Instance, startInstance } from './instance.ts';
import { withoutRateLimits } from './shared/setup.ts';
import { sluice } from './sluice.ts';
import { walkedAccount } from './walk/account.ts';
import { readDescription } from './walk/description.ts';
import { each } from './walk/pool.ts';
import { walker } from './walk/walker.ts';

const asidePattern = /^projection (\S+) sets aside (\S+) at event (\S+)$/;
let folder: string;
let instance: Instance;
let store: ConnectedEventStore;
let reactions: readonly string[];
let projections: readonly string[];

/** A history with every operation of the API in it, and a directory whose group becomes members. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-directory-'));
  instance = await startInstance({
    SLUICE_DIRECTORY_URL: pathToFileURL(folder).href,
    ...withoutRateLimits,
  });
  store = await eventStoreOf(instance);
  reactions = await namesInSource('reactions');
  projections = await namesInSource('projections');
  const { operations, error } = await readDescription(instance);
  const walk = walker(instance.bootstrap, error);
  const account = await walkedAccount(instance, operations, walk);
  for (const operation of operations) {
    await account.prepare(operation);
    await walk.attempt(operation, account.valid(operation, true));
  }
  await joinFromDirectory();
});
afterAll(async () => {
  await store?.stop();
  await instance?.dispose();
  await rm(folder, { recursive: true, force: true });
});

async function joinFromDirectory(): Promise<void> {
  const user = { id: '00u-new', email: 'new@example.com', active: true };
  const group = { id: '00g-team', display_name: 'team', members: [user.id] };
  const file = join(folder, `${instance.bootstrap.organization_id}.json`);
  await writeFile(file, JSON.stringify({ users: [user], groups: [group] }));
  await synchronize();
  const [known] = list((await manage(instance, '/scim/groups')).body['data']);
  const { workspace_id: workspaceId } = instance.bootstrap;
  const body = { scim_group_id: known?.['id'], workspace_id: workspaceId, role: 'member' };
  equal((await manage(instance, '/scim/group-mappings', { body })).status, 201);
  await synchronize();
}

async function synchronize(): Promise<void> {
  const started = await manage(instance, '/scim/sync-jobs', { method: 'POST' });
  equal(started.status, 202);
  const path = `/scim/sync-jobs/${text(started.body['data']?.['id'])}`;
  await eventually(async () => {
    const { body } = await manage(instance, path);
    ok(body['data']?.['finished_at'], JSON.stringify(body));
  });
}

/** Rows of `sluice projections list`; those that have not begun are left out. */
async function listed() {
  const { code, out, error } = await sluice(instance, ['projections', 'list']);
  equal(code, 0, error);
  const lines = out.matchAll(/^([a-z_.]+) +\d+ +(\d+)\/\d+ +(\S+) /gm);
  return [...lines].map(([, name = '', commit = '', behind = '']) => ({ name, commit, behind }));
}

async function positions(): Promise<ReadonlyMap<string, bigint>> {
  return new Map((await listed()).map(({ name, commit }) => [name, BigInt(commit)]));
}

/** Returns the streams as soon as every reaction has begun and none writes anything more. */
async function settled(): Promise<ReadonlyMap<string, readonly string[]>> {
  return await eventually(async () => {
    const before = await readStreams(store);
    const at = await positions();
    deepEqual(
      reactions.filter((name) => !at.has(name)),
      [],
    );
    const now = await readStreams(store);
    deepEqual([...now], [...before]);
    return now;
  });
}

async function readAll(): Promise<unknown> {
  const paths = ['/keys', '/workspaces', '/guardrails', '/byok', '/organization/members'];
  return await Promise.all(paths.map(async (path) => (await manage(instance, path)).body['data']));
}

async function readinessReasons(): Promise<readonly string[]> {
  const answer = await fetch(`${instance.adminUrl}/readyz`);
  const { reasons = [] } = (await answer.json()) as { reasons?: readonly string[] };
  return reasons;
}

describe('a reaction that receives every event again', () => {
  test('changes nothing, whichever it is', async () => {
    const before = await settled();
    const reached = await positions();
    const shown = await readAll();
    deepEqual([...reached.keys()].toSorted(), [...projections, ...reactions].toSorted());
    await each(reactions, async (name) => {
      const { code, error } = await sluice(instance, [
        'reactions',
        'rewind',
        name,
        '--to',
        'start',
      ]);
      equal(code, 0, error);
    });
    await eventually(async () => {
      const now = await positions();
      for (const name of reactions) ok((now.get(name) ?? -1n) >= (reached.get(name) ?? 0n), name);
    });
    deepEqual([...(await settled())], [...before]);
    deepEqual(await readAll(), shown);
    deepEqual(await readinessReasons(), []);
  });
});

/** One rebuild for each service does; a comparison fills the same tables for every projection. */
function isFirstOfService(name: string): boolean {
  const [service] = name.split('.');
  return projections.find((one) => one.startsWith(`${service}.`)) === name;
}

describe('an event of ours that nobody can read, in a stream of each kind', () => {
  test('is skipped once for all that stand at it, and left out of rebuilds and comparisons', async () => {
    const categories = new Set(
      [...(await readStreams(store)).keys()].map((stream) => stream.split('-')[0]),
    );
    categories.delete('installation');
    for (const category of categories)
      await store.append(
        `${category}-${crypto.randomUUID()}`,
        [anEventOfOurs('TurnedInsideOut')],
        'any',
      );
    const skipped = new Set<string>();
    const names = new Set<string>();
    // Each is met before the first is skipped.
    await eventually(async () => {
      const aside = (await readinessReasons()).map((reason) => asidePattern.exec(reason)?.[1]);
      deepEqual(
        projections.filter((name) => !aside.includes(name)),
        [],
      );
    });
    await eventually(async () => {
      const reasons = await readinessReasons();
      const events = new Set<string>();
      for (const reason of reasons) {
        const [, name = '', , event = ''] = asidePattern.exec(reason) ?? [];
        if (name !== '') names.add(name);
        if (event !== '' && !skipped.has(event)) events.add(event);
      }
      await each([...events], async (event) => {
        const words = ['projections', 'skip', event, '--reason', 'nobody can read it'];
        const { code, error } = await sluice(instance, words);
        deepEqual([code, error], [0, '']);
        skipped.add(event);
      });
      deepEqual(reasons, []);
      // One that goes on after a skip is ready before it meets the next such event.
      const followed = (await listed()).filter(({ name }) => projections.includes(name));
      const late = followed.filter(({ behind }) => behind !== '0');
      deepEqual(late, []);
    });
    deepEqual(
      projections.filter((name) => !names.has(name)),
      [],
    );
    await each(projections, async (name) => {
      if (isFirstOfService(name)) {
        const rebuilt = await sluice(instance, ['projections', 'rebuild', name]);
        equal(rebuilt.code, 0, rebuilt.error);
      }
      const compared = await sluice(instance, ['projections', 'rebuild', name, '--compare']);
      match(compared.out, / is what its events give \(/, compared.error);
    });
    const { status } = await manage(instance, '/keys', { body: { name: 'after it' } });
    equal(status, 201);
  });
});
