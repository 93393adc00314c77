import { deepEqual, match } from 'node:assert/strict';
import fc from 'fast-check';
import { isRejection } from '@sluice/errors';
import { specification } from '@sluice/es/testing';
import { describe, test } from 'vitest';
import { budgetIntervals } from './budgets.ts';
import type { RemoveBudget, SetBudget } from './commands.ts';
import { workspace } from './decide.ts';
import type { BudgetInterval, WorkspaceEvent } from './events.ts';
import { defaultSettings } from './settings.ts';

const { given } = specification(workspace);
const dollar = 1_000_000_000n;
const at = '2026-01-02T03:04:05.678Z';
const created: WorkspaceEvent = {
  type: 'WorkspaceCreated',
  data: {
    workspaceId: '0190a000-0000-7000-8000-000000000010',
    accountId: 'org_1',
    isDefault: false,
    settings: { name: 'Research', slug: 'research', ...defaultSettings },
    createdBy: null,
    createdAt: at,
  },
};
const wasSet = (interval: BudgetInterval, limit: bigint, id = interval): WorkspaceEvent => ({
  type: 'WorkspaceBudgetSet',
  data: { budgetId: `id-${id}`, interval, limitNanoUsd: limit.toString(), changedAt: at },
});
const set = (interval: BudgetInterval, limitNanoUsd: bigint, includeByok?: boolean): SetBudget => ({
  type: 'SetBudget',
  accountId: 'org_1',
  budgetId: `id-${interval}`,
  interval,
  limitNanoUsd,
  includeByokInBudgets: includeByok,
  occurredAt: at,
});
const remove = (interval: BudgetInterval): RemoveBudget => ({
  type: 'RemoveBudget',
  accountId: 'org_1',
  interval,
  occurredAt: at,
});
const policy = (includeByokInBudgets: boolean): WorkspaceEvent => ({
  type: 'WorkspaceByokBudgetPolicyChanged',
  data: { includeByokInBudgets, changedAt: at },
});

describe('setting a budget', () => {
  test('sets it', () =>
    given(created)
      .when(set('daily', 5n * dollar))
      .then(wasSet('daily', 5n * dollar)));
  test('again keeps its id', () =>
    given(created, wasSet('daily', dollar, 'weekly'))
      .when(set('daily', 2n * dollar))
      .then(wasSet('daily', 2n * dollar, 'weekly')));
  test('to what it is changes nothing', () =>
    given(created, wasSet('daily', dollar))
      .when(set('daily', dollar, false))
      .thenNothing());
  test('may say that usage on own credentials counts, for all budgets', () =>
    given(created, wasSet('monthly', 9n * dollar))
      .when(set('daily', dollar, true))
      .then(wasSet('daily', dollar), policy(true)));
  test('may say nothing but that', () =>
    given(created, wasSet('daily', dollar), policy(true))
      .when(set('daily', dollar, false))
      .then(policy(false)));
  test.each([0n, -1n, 10n ** 18n + 1n])('of %s nano-USD is rejected', (limit) =>
    given(created).when(set('daily', limit)).thenRejected('invalid_request'),
  );
  test('of another account is not found', () =>
    given(created)
      .when({ ...set('daily', dollar), accountId: 'org_2' })
      .thenRejected('not_found'));

  test.each([
    ['daily', dollar, 'weekly', dollar],
    ['daily', 2n * dollar, 'lifetime', dollar],
    ['lifetime', dollar, 'monthly', dollar],
    ['weekly', dollar, 'daily', dollar],
  ] as const)('%s of %s beside %s of %s is out of order', (interval, limit, other, otherLimit) =>
    given(created, wasSet(other, otherLimit))
      .when(set(interval, limit))
      .thenRejected('invalid_request'),
  );

  test('that is out of order is told with both limits', () => {
    const state = [created, wasSet('weekly', 1_500_000_000n)].reduce(
      workspace.evolve,
      workspace.initial,
    );
    const outcome = workspace.decide(set('daily', 2n * dollar), state);
    const message = isRejection(outcome) ? outcome.message : '';
    match(message, /the daily limit of \$2 must be lower than the weekly limit of \$1\.5$/);
  });

  test('leaves limits that fall strictly as the windows narrow, whatever is tried', () => {
    const step = fc.record({
      interval: fc.constantFrom(...budgetIntervals),
      limit: fc.bigInt({ min: 1n, max: 20n }),
      isRemoval: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let state = workspace.evolve(workspace.initial, created);
        for (const { interval, limit, isRemoval } of steps) {
          const outcome = workspace.decide(
            isRemoval ? remove(interval) : set(interval, limit),
            state,
          );
          if (!isRejection(outcome)) state = outcome.reduce(workspace.evolve, state);
        }
        const budgets = state.kind === 'created' ? state.budgets : [];
        const limits = budgetIntervals.flatMap((interval) =>
          budgets.filter((one) => one.interval === interval).map((one) => one.limitNanoUsd),
        );
        const falling = [...new Set(limits)].toSorted((one, other) => (one < other ? 1 : -1));
        deepEqual(limits, falling);
      }),
    );
  });
});

describe('removing a budget', () => {
  test('removes it', () =>
    given(created, wasSet('daily', dollar))
      .when(remove('daily'))
      .then({ type: 'WorkspaceBudgetRemoved', data: { interval: 'daily', changedAt: at } }));
  test('that is not there changes nothing', () =>
    given(created, wasSet('daily', dollar)).when(remove('weekly')).thenNothing());
});
