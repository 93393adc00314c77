import { deepEqual } from 'node:assert/strict';
import type { Principal } from '@sluice/inference-port';
import { test } from 'vitest';
import type { Policy } from '../policy/policy.ts';
import { budgetsOf } from './budgets-of.ts';

const principal: Principal = {
  accountId: 'org_1',
  workspaceId: 'ws_1',
  keyHash: 'key_1',
  limitNanoUsd: null,
  limitReset: null,
  includeByokInLimit: false,
};
const most = 10n ** 18n;
const tooMuch = 2n ** 63n - 1n;

test('limits that were stored above the bound of an amount count as the bound', () => {
  const budget = { interval: 'daily' as const, limitNanoUsd: tooMuch };
  const policy: Policy = {
    isWorkspaceAlive: true,
    disabledServerTools: [],
    budgets: [budget],
    includeByokInBudgets: false,
    defaults: { model: undefined, sort: undefined, unsupportedFeatures: undefined },
    guardrails: [
      {
        id: 'g1',
        name: 'g1',
        scope: 'key',
        assigneeId: 'key_1',
        budget,
        includeByok: false,
        rules: undefined,
      },
    ],
    allowedPhrases: [],
  };
  const budgets = budgetsOf({ ...principal, limitNanoUsd: tooMuch }, policy);
  deepEqual(
    budgets.map(({ scopeKind, limitNanoUsd }) => [scopeKind, limitNanoUsd]),
    [
      ['account', undefined],
      ['key', most],
      ['workspace', most],
      ['guardrail', most],
    ],
  );
});
