import { join } from 'node:path';
import fc from 'fast-check';
import { storedEventsSpecification } from '@sluice/es/testing';
import { workspace } from '../domain/workspace/decide.ts';
import { workspaceEvents } from './workspace-events.ts';

const orNull = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: null });
const interval = fc.constantFrom('daily', 'weekly', 'monthly', 'lifetime');
const changedAt = fc.string();
const settings = {
  name: fc.string(),
  slug: fc.string(),
  description: orNull(fc.string()),
  defaultTextModel: orNull(fc.string()),
  defaultImageModel: orNull(fc.string()),
  defaultProviderSort: orNull(fc.constantFrom('price', 'throughput', 'latency', 'exacto')),
  isObservabilityIoLoggingEnabled: fc.boolean(),
  ioLoggingSamplingRate: fc.double({ min: 0.0001, max: 1, noNaN: true }),
  ioLoggingApiKeyIds: orNull(fc.array(fc.nat())),
  isObservabilityBroadcastEnabled: fc.boolean(),
  isDataDiscountLoggingEnabled: fc.boolean(),
  disabledServerTools: orNull(fc.array(fc.string())),
};

storedEventsSpecification({
  codec: workspaceEvents,
  decider: workspace,
  goldenDirectory: join(import.meta.dirname, '../domain/workspace/golden'),
  events: {
    WorkspaceCreated: fc.record({
      type: fc.constant('WorkspaceCreated' as const),
      data: fc.record({
        workspaceId: fc.uuid(),
        accountId: fc.string(),
        isDefault: fc.boolean(),
        settings: fc.record(settings),
        createdBy: orNull(fc.string()),
        createdAt: fc.string(),
      }),
    }),
    WorkspaceUpdated: fc.record({
      type: fc.constant('WorkspaceUpdated' as const),
      data: fc.record({ changes: fc.record(settings, { requiredKeys: [] }), changedAt }),
    }),
    WorkspaceBudgetSet: fc.record({
      type: fc.constant('WorkspaceBudgetSet' as const),
      data: fc.record({
        budgetId: fc.uuid(),
        interval,
        limitNanoUsd: fc.bigInt({ min: 1n }).map(String),
        changedAt,
      }),
    }),
    WorkspaceBudgetRemoved: fc.record({
      type: fc.constant('WorkspaceBudgetRemoved' as const),
      data: fc.record({ interval, changedAt }),
    }),
    WorkspaceByokBudgetPolicyChanged: fc.record({
      type: fc.constant('WorkspaceByokBudgetPolicyChanged' as const),
      data: fc.record({ includeByokInBudgets: fc.boolean(), changedAt }),
    }),
    WorkspaceDeleted: fc.record({
      type: fc.constant('WorkspaceDeleted' as const),
      data: fc.record({ changedAt }),
    }),
  },
});
