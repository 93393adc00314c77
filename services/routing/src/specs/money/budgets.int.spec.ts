import { deepEqual, equal, match, ok } from 'node:assert/strict';
import type { InferenceReply } from '@sluice/inference-port';
import { subjects } from '@sluice/bus';
import { afterEach, describe, test } from 'vitest';
import type { AssignedGuardrail } from '../../testing/in-memory-policies.ts';
import {
  errorOf,
  eventually,
  routingHarness,
  somebody,
  textOf,
  type RoutingHarness,
} from '../../testing/routing-harness.ts';

const dollar = 1_000_000_000n;
let routing: RoutingHarness;
afterEach(() => routing.stop());

const memberOf = (creatorUserId: string, keyHash: string) => ({
  ...somebody,
  keyHash,
  creatorUserId,
});
const ask = async (principal = somebody): Promise<InferenceReply> =>
  await routing.call({ model: 'sim/echo', input: 'hello' }, { principal });

async function served(principal = somebody): Promise<void> {
  const reply = await ask(principal);
  equal(reply.status, 200, await textOf(reply));
}

interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly reason?: string;
  readonly scope?: string;
  readonly guardrail_id?: string;
  readonly limit_usd?: number;
  readonly interval?: string;
  readonly left_usd?: number;
  readonly held_usd?: number;
  readonly needed_usd?: number;
}

async function refused(principal = somebody): Promise<Refusal> {
  const reply = await ask(principal);
  const { code, message, metadata } = await errorOf(reply);
  equal(code, reply.status);
  return { status: reply.status, message, ...metadata };
}

const assign = (scope: string, assigneeId: string, guardrail: AssignedGuardrail) =>
  void routing.policies.assigned.set(`${scope} ${assigneeId}`, guardrail);
const tomorrow = () =>
  `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)}T00:00:00.000Z`;

describe('a guardrail of 50 USD a day on three members', () => {
  test('stops only the member who spent it', async () => {
    routing = await routingHarness();
    for (const member of ['a', 'b', 'c'])
      assign('member', member, { id: 'g1', limitNanoUsd: 50n * dollar });
    routing.ledger.settle({ guardrailScopes: ['g1:member:a'], costNanoUsd: 50n * dollar });
    const { left_usd, held_usd, needed_usd, ...rest } = await refused(memberOf('a', 'key-a'));
    deepEqual([left_usd, held_usd], [0, 0]);
    ok(Number(needed_usd) > 0);
    deepEqual(rest, {
      status: 403,
      message: 'Guardrail daily budget of $50 exceeded for this member. Contact your org admin.',
      reason: 'guardrail_budget_exceeded',
      scope: 'member',
      guardrail_id: 'g1',
      limit_usd: 50,
      interval: 'daily',
      resets_at: tomorrow(),
      error_type: 'permission_denied',
    });
    await served(memberOf('b', 'key-b'));
    await served(memberOf('c', 'key-c'));
  });
});

describe('a member of 20 USD a day with two keys of 20 USD a day', () => {
  test('is stopped by the sum of the keys', async () => {
    routing = await routingHarness();
    assign('member', 'a', { id: 'g1', limitNanoUsd: 20n * dollar });
    for (const [key, spent] of [
      ['key-1', 15n],
      ['key-2', 10n],
    ] as const) {
      assign('key', key, { id: 'g2', limitNanoUsd: 20n * dollar });
      const guardrailScopes = ['g1:member:a', `g2:key:${key}`];
      routing.ledger.settle({ guardrailScopes, costNanoUsd: spent * dollar });
    }
    for (const key of ['key-1', 'key-2']) {
      const { status, scope, limit_usd } = await refused(memberOf('a', key));
      deepEqual([status, scope, limit_usd], [403, 'member', 20]);
    }
  });
});

describe('a member of 100 USD a day with a key of 30 USD a day', () => {
  test('may spend the rest with other keys', async () => {
    routing = await routingHarness();
    assign('member', 'a', { id: 'g1', limitNanoUsd: 100n * dollar });
    assign('key', 'key-1', { id: 'g2', limitNanoUsd: 30n * dollar });
    const guardrailScopes = ['g1:member:a', 'g2:key:key-1'];
    routing.ledger.settle({ guardrailScopes, costNanoUsd: 30n * dollar });
    const { status, scope, guardrail_id } = await refused(memberOf('a', 'key-1'));
    deepEqual([status, scope, guardrail_id], [403, 'key', 'g2']);
    await served(memberOf('a', 'key-2'));
  });
});

describe('a workspace of 5 USD a month with a key of 10 USD a month', () => {
  test('is what refuses', async () => {
    routing = await routingHarness();
    routing.policies.budgets.set('monthly', 5n * dollar);
    const capped = { ...somebody, limitNanoUsd: 10n * dollar, limitReset: 'monthly' } as const;
    routing.ledger.settle({ keyHash: 'key', costNanoUsd: 5n * dollar });
    const { status, message, reason, scope, interval } = await refused(capped);
    deepEqual(
      [status, reason, scope, interval],
      [403, 'workspace_budget_exceeded', 'workspace', 'monthly'],
    );
    equal(message, 'Workspace monthly budget of $5 exceeded. Contact your org admin.');
  });
});

describe('a key of 10 USD that does not count own providers', () => {
  test('is not stopped by 12 USD spent at them', async () => {
    routing = await routingHarness();
    const capped = { ...somebody, limitNanoUsd: 10n * dollar };
    routing.ledger.settle({ keyHash: 'key', costNanoUsd: 12n * dollar, isByok: true });
    await served(capped);
  });
});

describe('a balance of -0.01 USD', () => {
  test('stops a free model, too', async () => {
    const catalogFile = (url: string) => `
      providers: [{ slug: own, name: Own, dialect: openai-responses, base_url: '${url}' }]
      models: [{ id: own/free, provider: own, upstream_model: echo, pricing: { prompt: '0', completion: '0' } }]`;
    routing = await routingHarness({ creditsNanoUsd: 5n * dollar, catalogFile });
    const free = () => routing.call({ model: 'own/free', input: 'hello' });
    equal((await free()).status, 200);
    routing.ledger.settle({ costNanoUsd: 5n * dollar + dollar / 100n });
    routing.ledger.setCredits(5n * dollar);
    const reply = await eventually(async () => {
      const given = await free();
      return given.status === 402 ? given : undefined;
    }, 'a refusal');
    equal((await errorOf(reply)).metadata['reason'], 'credits_exhausted');
  });
});

describe('of several budgets that are used up', () => {
  const everything = async () => {
    routing = await routingHarness({ creditsNanoUsd: dollar });
    for (const kind of ['daily', 'weekly', 'monthly', 'lifetime'])
      routing.policies.budgets.set(kind, dollar);
    assign('workspace', 'workspace', { id: 'g0', limitNanoUsd: dollar });
    assign('member', 'a', { id: 'g1', limitNanoUsd: dollar });
    assign('key', 'key', { id: 'g2', limitNanoUsd: dollar });
    const guardrailScopes = ['g0:workspace:workspace', 'g1:member:a', 'g2:key:key'];
    routing.ledger.settle({ keyHash: 'key', guardrailScopes, costNanoUsd: dollar });
    return { ...memberOf('a', 'key'), limitNanoUsd: dollar };
  };
  const forget = async () => {
    const accountId = 'account';
    routing.bus.publish(subjects.workspaceChanged(accountId), { accountId });
    routing.bus.publish(subjects.limitsChanged(accountId), { accountId });
  };
  const named = async (principal: typeof somebody) => {
    const { status, reason, scope = '', interval = '' } = await refused(principal);
    return [status, reason, scope, interval].join(' ');
  };

  test('the first one in the order of the contract refuses, of a workspace the broadest', async () => {
    const principal = await everything();
    const next = async (expected: string, lift: () => void) => {
      await eventually(
        async () => (await named(lifted)) === expected || undefined,
        `${expected}, not ${await named(lifted)}`,
      );
      lift();
      await forget();
    };
    let lifted: typeof somebody = principal;
    const { budgets, assigned } = routing.policies;
    await next('402 credits_exhausted  ', () => routing.ledger.setCredits(9n * dollar));
    await next('402 key_limit_exceeded key ', () => (lifted = memberOf('a', 'key')));
    for (const kind of ['lifetime', 'monthly', 'weekly', 'daily'])
      await next(`403 workspace_budget_exceeded workspace ${kind === 'lifetime' ? '' : kind}`, () =>
        budgets.delete(kind),
      );
    for (const scope of ['workspace workspace', 'member a', 'key key'])
      await next(`403 guardrail_budget_exceeded ${scope.split(' ')[0]} daily`, () =>
        assigned.delete(scope),
      );
    await eventually(async () => (await ask(lifted)).status === 200 || undefined, 'an answer');
  });
});

describe('what was held against budgets', () => {
  test('is reported to the ledger: workspace, member and all guardrails, even without a budget', async () => {
    routing = await routingHarness();
    assign('workspace', 'workspace', { id: 'g0' });
    assign('member', 'a', { id: 'g1', limitNanoUsd: 50n * dollar });
    await served(memberOf('a', 'key'));
    const fact = await eventually(() => routing.ledger.facts[0], 'the fact');
    equal(fact.workspaceId, 'workspace');
    equal(fact.userId, 'a');
    deepEqual(fact.guardrailScopes, ['g0:workspace:workspace', 'g1:member:a']);
    equal(fact.leaseNumbers.length, 2);
  });
});

describe('a workspace that is not alive', () => {
  test('refuses each request, before any error of the body', async () => {
    routing = await routingHarness();
    routing.policies.isWorkspaceAlive = false;
    const reply = await routing.call({ nonsense: true });
    equal(reply.status, 403);
    const { message, metadata } = await errorOf(reply);
    equal(message, 'Workspace not available for this key');
    equal(metadata['error_type'], 'permission_denied');
    equal((await routing.receipts()).length, 0);
  });
});

describe('policies', () => {
  test('are fetched once, and later requests cause no call', async () => {
    routing = await routingHarness();
    routing.policies.budgets.set('daily', 50n * dollar);
    assign('member', 'a', { id: 'g1', limitNanoUsd: 50n * dollar });
    const principal = memberOf('a', 'key');
    for (let count = 0; count < 5; count += 1) await served(principal);
    const before = { ledger: routing.ledger.timesAsked, policies: routing.policies.timesAsked };
    equal(before.policies, 2);
    for (let count = 0; count < 20; count += 1) await served(principal);
    equal(routing.policies.timesAsked, before.policies);
    ok(routing.ledger.timesAsked - before.ledger <= 3, 'only what renews leases in the background');
  });

  test('that cannot be known let nothing through', async () => {
    routing = await routingHarness();
    routing.policies.isUp = false;
    const reply = await ask();
    equal(reply.status, 503);
    match(reply.headers['retry-after'] ?? '', /^\d+$/);
    routing.policies.isUp = true;
    await served();
  });

  test('that changed hold from the next request on', async () => {
    routing = await routingHarness();
    await served();
    routing.policies.budgets.set('daily', 1n);
    const accountId = 'account';
    routing.bus.publish(subjects.workspaceChanged(accountId), { accountId });
    await eventually(async () => (await ask()).status === 403 || undefined, 'a refusal');
  });
});
