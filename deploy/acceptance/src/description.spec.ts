import { deepEqual, equal, ok } from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { type Instance, startInstance } from './instance.ts';
import { withoutRateLimits } from './shared/setup.ts';
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

let sluice: Instance;
let operations: readonly Operation[];
let walk: Walker;
let account: WalkedAccount;

beforeAll(async () => {
  // Huge bodies take the memory that others would need: this instance is not shared.
  sluice = await startInstance(withoutRateLimits);
  ({ operations, walk, account } = await startWalk(sluice, () => true));
});
afterAll(() => sluice?.dispose());

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
