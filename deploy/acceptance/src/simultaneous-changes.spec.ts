import { deepEqual, equal } from 'node:assert/strict';
import { beforeAll, describe, test } from 'vitest';
import { type Call, eventually, json, manage, text } from './http.ts';
import { sharedInstance } from './shared/instance.ts';
import type { Running } from './shared/setup.ts';

const atOnce = 20;

let sluice: Running;
beforeAll(async () => {
  sluice = await sharedInstance();
});

const create = async (path: string, body: object, id = 'id') => {
  const made = await manage(sluice, path, { body });
  equal(made.status, 201, JSON.stringify(made.body));
  return `${path}/${text(made.body['data']?.[id])}`;
};

const resources = [
  {
    what: 'a key',
    make: () => create('/keys', { name: 'k' }, 'hash'),
    method: 'PATCH',
    body: (index: number) => ({ name: `k ${index}` }),
  },
  {
    what: 'a workspace',
    make: () => create('/workspaces', { name: 'w', slug: 'w' }),
    method: 'PATCH',
    body: (index: number) => ({ description: `w ${index}` }),
  },
  {
    what: 'the slug of a workspace',
    make: () => create('/workspaces', { name: 's', slug: 's' }),
    method: 'PATCH',
    body: (index: number) => ({ slug: `s-${index}` }),
  },
  {
    what: 'a budget',
    make: async () => `${await create('/workspaces', { name: 'b', slug: 'b' })}/budgets/daily`,
    method: 'PUT',
    body: (index: number) => ({ limit_usd: 1 + index }),
  },
  {
    what: 'a guardrail',
    make: () => create('/guardrails', { name: 'g' }),
    method: 'PATCH',
    body: (index: number) => ({ name: `g ${index}` }),
  },
  {
    what: 'a provider credential',
    make: () => create('/byok', { provider: 'mistral', key: 'a-key-of-ours', name: 'c' }),
    method: 'PATCH',
    body: (index: number) => ({ name: `c ${index}` }),
  },
  {
    what: 'the settings of the organization',
    make: async () => '/organization/settings',
    method: 'PATCH',
    body: (index: number) => ({ is_filtered_model_catalog_enabled: index % 2 === 0 }),
  },
  {
    what: 'an end user',
    make: () => create('/end-users', { user: 'u' }, 'user'),
    method: 'PATCH',
    body: (index: number) => ({ is_active: index % 2 === 0 }),
  },
];

describe(`${atOnce} changes at once, without a precondition,`, () => {
  test.each(resources)('of $what all succeed', async ({ make, method, body }) => {
    const path = await make();
    const indices = Array.from({ length: atOnce }, (_, index) => index);
    const answers = await Promise.all(
      indices.map((index) => manage(sluice, path, { method, body: body(index) })),
    );
    deepEqual(
      answers.map(({ status }) => status),
      indices.map(() => 200),
      JSON.stringify(answers.find(({ status }) => status !== 200)?.body),
    );
  });
});

describe(`of a deletion of a workspace and a new key in it, ${atOnce} times at once,`, () => {
  test('one is refused, and a key that was answered works', async () => {
    const paths = await Promise.all(
      Array.from({ length: atOnce }, (_, index) =>
        create('/workspaces', { name: `d ${index}`, slug: `d-${index}` }),
      ),
    );
    const outcomes = await Promise.all(
      paths.map(async (path, index) => {
        const workspace_id = path.slice('/workspaces/'.length);
        const remove = () => settled(path, { method: 'DELETE' });
        const headers = { 'idempotency-key': `${workspace_id}-key` };
        const issue = () => settled('/keys', { body: { name: 'k', workspace_id }, headers });
        // Each of the two comes first in half of the pairs.
        const [first, second] = index % 2 === 0 ? [remove, issue] : [issue, remove];
        const [one, other] = await Promise.all([first(), second()]);
        const [removed, issued] = index % 2 === 0 ? [one, other] : [other, one];
        const works = issued.status === 201 && (await opens(text(issued.body['key'])));
        return `${removed.status} ${issued.status} ${works}`;
      }),
    );
    deepEqual(
      [...new Set(outcomes)].filter((outcome) => !allowed.has(outcome)),
      [],
    );
  });
  /** 404: the deletion was carried out by an attempt that was answered 503. */
  const allowed = new Set(['200 400 false', '404 400 false', '400 201 true']);
  const settled = (path: string, call: Call) =>
    eventually(
      () => manage(sluice, path, call),
      ({ status }) => status !== 503,
    );
  const opens = async (key: string) => (await json(sluice, '/key', { key })).status === 200;
});
