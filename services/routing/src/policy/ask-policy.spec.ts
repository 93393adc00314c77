import { deepEqual, equal, rejects } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { inMemoryPolicies } from '../testing/in-memory-policies.ts';
import { askPolicy } from './ask-policy.ts';

const question = {
  accountId: 'account',
  workspaceId: 'workspace',
  keyHash: 'key',
  creatorUserId: 'user',
};

describe('a policy', () => {
  test('has the budgets from the broadest on, and the guardrails in the order of the contract', async () => {
    const calls = inMemoryPolicies();
    for (const kind of ['daily', 'lifetime', 'weekly', 'monthly']) calls.budgets.set(kind, 7n);
    calls.assigned.set('key key', { id: 'g2' });
    calls.assigned.set('workspace workspace', { id: 'g0', limitNanoUsd: 5n, windowKind: 'weekly' });
    calls.assigned.set('member user', { id: 'g1' });
    const { budgets, guardrails } = await askPolicy(calls, question);
    deepEqual(
      budgets.map(({ interval }) => interval),
      [null, 'monthly', 'weekly', 'daily'],
    );
    deepEqual(
      guardrails.map(({ id, scope, assigneeId, budget }) => [id, scope, assigneeId, budget]),
      [
        ['g0', 'workspace', 'workspace', { interval: 'weekly', limitNanoUsd: 5n }],
        ['g1', 'member', 'user', undefined],
        ['g2', 'key', 'key', undefined],
      ],
    );
  });

  test('has what requests of the workspace get that do not say it themselves', async () => {
    const calls = inMemoryPolicies();
    const none = { model: undefined, sort: undefined, unsupportedFeatures: undefined };
    deepEqual((await askPolicy(calls, question)).defaults, none);
    calls.defaults = { defaultTextModel: 'a/b', defaultProviderSort: 'latency' };
    deepEqual((await askPolicy(calls, question)).defaults, {
      ...none,
      model: 'a/b',
      sort: 'latency',
    });
    calls.defaults = { defaultProviderSort: 'beauty' };
    equal((await askPolicy(calls, question)).defaults.sort, undefined);
  });

  test('has the mode of the account for unsupported features', async () => {
    const calls = inMemoryPolicies();
    calls.unsupportedFeatures.set('account', 'strict').set('other', 'lenient');
    equal((await askPolicy(calls, question)).defaults.unsupportedFeatures, 'strict');
    const other = await askPolicy(calls, { ...question, accountId: 'other' });
    equal(other.defaults.unsupportedFeatures, 'lenient');
  });

  test('that is not understood lets nothing through', async () => {
    const calls = inMemoryPolicies();
    calls.budgets.set('hourly', 7n);
    await rejects(askPolicy(calls, question), { code: 'internal' });
    calls.budgets.clear();
    calls.assigned.set('key key', { id: 'g', limitNanoUsd: 5n, windowKind: '' });
    await rejects(askPolicy(calls, question), { code: 'internal' });
    calls.assigned.set('key key', { id: 'g:1' });
    await rejects(askPolicy(calls, question), { code: 'internal' });
    calls.assigned.clear();
    calls.unsupportedFeatures.set('account', 'sometimes');
    await rejects(askPolicy(calls, question), { code: 'internal' });
  });
});
