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
import { sluice as commandLine } from './sluice.ts';
import { queryOf, type WalkedAccount } from './walk/account.ts';
import type { Operation } from './walk/description.ts';
import { mutationsOf } from './walk/mutations.ts';
import { each } from './walk/pool.ts';
import { seededRandom } from '@sluice/testing/random';
import { sample } from './walk/sample.ts';
import { acceptsText, checkerOf } from './walk/schema.ts';
import { startWalk } from './walk/start.ts';
import type { Attempt, Walker } from './walk/walker.ts';

const seed = 1;
/** Bounds the mutations of a body, and the texts for a parameter. `make test-fuzz` sends all. */
const sentMax = Number(process.env['BODIES'] ?? 12);

/**
 * Operations that need more than the description: a group comes from a directory (scim.spec.ts), a container from a
 * tool (containers.spec.ts), a file from a form (files.spec.ts), and an active endpoint from an upstream that answers
 * (private-endpoints.spec.ts).
 */
const needsMore = ({ path, title }: Pick<Operation, 'path' | 'title'>) =>
  ['/v1/scim/group-mappings', '/v1/containers/', '/v1/files/'].some((one) =>
    path.startsWith(one),
  ) ||
  title === 'POST /v1/files' ||
  isOfActiveEndpoint(title);

/** A creation that is sent again is answered with the endpoint as it is then, not as the first one was. */
const isOfActiveEndpoint = (title: string) =>
  title === 'POST /v1/private-endpoints' ||
  /^POST \/v1\/private-endpoints\/\{id\}\/(?:activate|enable|disable)$/.test(title);

/** The workspace of the walk stores no contents of generations. */
const isOfContent = ({ path }: Pick<Operation, 'path'>) => path === '/v1/generation/content';

let directory: string;
let sluice: Instance;
let operations: readonly Operation[];
let walk: Walker;
let account: WalkedAccount;

beforeAll(async () => {
  // Huge bodies take the memory that others would need: this instance is not shared.
  directory = await mkdtemp(join(tmpdir(), 'sluice-directory-'));
  sluice = await startInstance({
    SLUICE_DIRECTORY_URL: pathToFileURL(directory).href,
    ...withoutRateLimits,
  });
  ({ operations, walk, account } = await startWalk(sluice, () => true));
});
afterAll(async () => {
  await sluice?.dispose();
  await rm(directory, { recursive: true, force: true });
});

/** Sends what is given and fails with what was not as described, if anything. */
async function asDescribed(attempts: readonly (readonly [Operation, Attempt])[]): Promise<void> {
  const before = walk.problems.length;
  await each(attempts, ([operation, attempt]) => walk.attempt(operation, attempt));
  deepEqual(walk.problems.slice(before).slice(0, 20), []);
}

describe('each operation of the description', () => {
  test('succeeds when it is called as described', async () => {
    const missed: string[] = [];
    for (const operation of operations) {
      const statuses: number[] = [];
      for (const isFull of [true, false]) {
        await account.prepare(operation);
        const attempt = account.valid(operation, isFull);
        statuses.push((await walk.attempt(operation, attempt)).status);
      }
      const isBuilt = !operation.answers.has(501) && !needsMore(operation);
      if (isBuilt && !isOfContent(operation) && !statuses.some((status) => status < 300))
        missed.push(`${operation.title}: ${statuses.join(' ')}`);
    }
    deepEqual(walk.problems, []);
    deepEqual(missed, []);
  });
});

const asidePattern = /^projection (\S+) sets aside (\S+) at event (\S+)$/;
let store: ConnectedEventStore;
let reactions: readonly string[];
let projections: readonly string[];

/** Lets a group of the directory become members: the API has no operation for it. */
async function joinFromDirectory(): Promise<void> {
  const user = { id: '00u-new', email: 'new@example.com', active: true };
  const group = { id: '00g-team', display_name: 'team', members: [user.id] };
  const file = join(directory, `${sluice.bootstrap.organization_id}.json`);
  await writeFile(file, JSON.stringify({ users: [user], groups: [group] }));
  await synchronize();
  const [known] = list((await manage(sluice, '/scim/groups')).body['data']);
  const { workspace_id: workspaceId } = sluice.bootstrap;
  const body = { scim_group_id: known?.['id'], workspace_id: workspaceId, role: 'member' };
  equal((await manage(sluice, '/scim/group-mappings', { body })).status, 201);
  await synchronize();
}

async function synchronize(): Promise<void> {
  const started = await manage(sluice, '/scim/sync-jobs', { method: 'POST' });
  equal(started.status, 202);
  const path = `/scim/sync-jobs/${text(started.body['data']?.['id'])}`;
  await eventually(async () => {
    const { body } = await manage(sluice, path);
    ok(body['data']?.['finished_at'], JSON.stringify(body));
  });
}

/** Rows of `sluice projections list`; those that have not begun are left out. */
async function listed() {
  const { code, out, error } = await commandLine(sluice, ['projections', 'list']);
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
  return await Promise.all(paths.map(async (path) => (await manage(sluice, path)).body['data']));
}

async function readinessReasons(): Promise<readonly string[]> {
  const answer = await fetch(`${sluice.adminUrl}/readyz`);
  const { reasons = [] } = (await answer.json()) as { reasons?: readonly string[] };
  return reasons;
}

/** One rebuild for each service does; a comparison fills the same tables for every projection. */
function isFirstOfService(name: string): boolean {
  const [service] = name.split('.');
  return projections.find((one) => one.startsWith(`${service}.`)) === name;
}

/** After the first test each operation is in the log. */
describe('a log with the events of each operation', () => {
  beforeAll(async () => {
    store = await eventStoreOf(sluice);
    reactions = await namesInSource('reactions');
    projections = await namesInSource('projections');
    await joinFromDirectory();
  });
  afterAll(() => store?.stop());

  test('changes nothing when a reaction receives it again, whichever it is', async () => {
    const before = await settled();
    const reached = await positions();
    const shown = await readAll();
    deepEqual([...reached.keys()].toSorted(), [...projections, ...reactions].toSorted());
    await each(reactions, async (name) => {
      const { code, error } = await commandLine(sluice, [
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

  test('goes on behind an event that nobody can read, in a stream of each kind, once it is skipped', async () => {
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
        const { code, error } = await commandLine(sluice, words);
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
        const rebuilt = await commandLine(sluice, ['projections', 'rebuild', name]);
        equal(rebuilt.code, 0, rebuilt.error);
      }
      const compared = await commandLine(sluice, ['projections', 'rebuild', name, '--compare']);
      match(compared.out, / is what its events give \(/, compared.error);
    });
    const { status } = await manage(sluice, '/keys', { body: { name: 'after it' } });
    equal(status, 201);
  });
});

describe('each operation of the description', () => {
  test('that is a POST is carried out once under an Idempotency-Key, and answered as it was', async () => {
    const posts = operations.filter(
      ({ method, path, title, parameters, answers }) =>
        method === 'POST' &&
        !answers.has(501) &&
        !needsMore({ path, title }) &&
        parameters.some(({ name }) => name === 'Idempotency-Key'),
    );
    ok(posts.length >= 5);
    for (const operation of posts) {
      const statuses: number[] = [];
      for (const isFull of [true, false]) {
        await account.prepare(operation);
        const headers = { 'idempotency-key': `${operation.title} ${isFull}` };
        const attempt = { ...account.valid(operation, isFull), headers };
        const first = await walk.attempt(operation, attempt);
        statuses.push(first.status);
        deepEqual(await walk.attempt(operation, attempt), first, operation.title);
        const changed = otherThan(operation, attempt.body);
        if (first.status >= 300 || changed === undefined) continue;
        const body = { ...(attempt.body as object), ...changed };
        const other = await walk.attempt(operation, { ...attempt, body });
        equal(other.status, 422, `${operation.title}: ${JSON.stringify(other)}`);
      }
      ok(
        statuses.some((status) => status < 300),
        `${operation.title}: ${statuses.join(' ')}`,
      );
    }
  });

  test('refuses each constraint of its body that is broken, and keeps to its statuses', async () => {
    const random = seededRandom(seed);
    const attempts = operations.flatMap((operation) => {
      const { body: schema } = operation;
      if (schema === undefined) return [];
      const { body, ...valid } = account.valid(operation, true);
      const mutations = sample([...mutationsOf(schema, body)], sentMax, random);
      return mutations.map(({ what, value }): [Operation, Attempt] => [
        operation,
        { ...valid, what, body: value ?? 'null', isBroken: !checkerOf(schema).accepts(value) },
      ]);
    });
    ok(attempts.length > 100);
    await asDescribed(attempts);
  });

  test('refuses each constraint of its query that is broken, and keeps to its statuses', async () => {
    const random = seededRandom(seed);
    const attempts = operations.flatMap((operation) =>
      operation.parameters
        .filter((parameter) => parameter.in === 'query')
        .flatMap(({ name, schema }) =>
          sample(texts, sentMax, random).map((value): [Operation, Attempt] => [
            operation,
            {
              what: `${name}=${value.slice(0, 40)}`,
              path: account.valid(operation, false).path,
              query: queryOf({ [name]: value }),
              isBroken: !acceptsText(schema, value),
            },
          ]),
        ),
    );
    await asDescribed(attempts);
  });

  test('keeps to its statuses whatever stands in its path', async () => {
    const random = seededRandom(seed);
    const attempts = operations.flatMap((operation) =>
      operation.parameters
        .filter((parameter) => parameter.in === 'path')
        .flatMap(({ name }) =>
          sample(texts, sentMax, random)
            .filter((value) => value !== '' && !/^\.+$/.test(value))
            .map((value): [Operation, Attempt] => {
              const valid = account.valid(operation, false);
              const path = { ...valid.path, [name]: encodeURIComponent(value) };
              return [operation, { ...valid, path, what: `${name} is ${value.slice(0, 40)}` }];
            }),
        ),
    );
    await asDescribed(attempts);
  });

  test('survives bodies that are huge, deep, or no JSON', async () => {
    const withBody = operations.filter(({ body }) => body !== undefined);
    const attempts = withBody.flatMap((operation, index) =>
      // Bodies of megabytes go to every third operation: one parser reads those of all.
      Object.entries(wrongBodies)
        .filter(([, { body }]) => index % 3 === 0 || body.length < 500_000)
        .map(([what, { body, headers }]): [Operation, Attempt] => [
          operation,
          {
            ...account.valid(operation, false),
            what,
            body,
            isBroken: true,
            ...(headers ? { headers } : {}),
          },
        ]),
    );
    await asDescribed(attempts);
  });
});

/** Changes a body so that it is valid and says something else. undefined: no such change is known. */
function otherThan(operation: Operation, body: unknown): object | undefined {
  const full = Object.entries(account.valid(operation, true).body ?? {});
  const said = new Map(Object.entries(body ?? {}));
  const other = full.find(
    ([name, value]) => JSON.stringify(said.get(name)) !== JSON.stringify(value),
  );
  return other && { [other[0]]: other[1] as unknown };
}

const texts: readonly string[] = [
  '',
  ' ',
  '0',
  '-1',
  '1.5',
  '1e3',
  '101',
  '999999999',
  '99999999999999999999',
  'true',
  'TRUE',
  'x',
  'a\u0000b',
  '\r\nx: y',
  '🚀',
  "'; drop table keys; --",
  '{}',
  '*',
  'a/b',
  '../..',
  'f'.repeat(64),
  'F'.repeat(64),
  '00000000-0000-0000-0000-000000000000',
  '2a1fd2b6-6a55-4f0b-9d4e-5a3a1f6b7c8d',
  'x'.repeat(900),
  'x'.repeat(3_500),
];

const deep = 50_000;
const wrongBodies: Readonly<
  Record<string, { body: string | Uint8Array; headers?: Readonly<Record<string, string>> }>
> = {
  'no bytes at all': { body: '' },
  'half an object': { body: '{"name": "x"' },
  'a list that is deep': { body: `${'['.repeat(deep)}${']'.repeat(deep)}` },
  'an object that is deep': { body: `${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}` },
  'more values than anybody means': { body: `{"name":[${'1,'.repeat(300_000)}1]}` },
  'more bytes than are allowed': { body: `{"name":"${'x'.repeat(33 * 1024 * 1024)}"}` },
  'no UTF-8': { body: new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]) },
  'another type': {
    body: 'name=x',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  },
  'an encoding': { body: '{}', headers: { 'content-encoding': 'gzip' } },
};
