import { event, type EventOf, instant, nanoUsd, nullable, type Shape } from '@sluice/es';
import { Type } from 'typebox';

const providerSort = Type.Enum(['price', 'throughput', 'latency', 'exacto']);
export type ProviderSort = Shape<typeof providerSort>;

const budgetInterval = Type.Enum(['daily', 'weekly', 'monthly', 'lifetime'], {
  description: 'How long the window of a budget is; lifetime: it never starts anew.',
});
export type BudgetInterval = Shape<typeof budgetInterval>;

const pluginDefault = Type.Object({
  settings: Type.Unsafe<Readonly<Record<string, unknown>>>(
    Type.Object(
      {},
      {
        additionalProperties: Type.Unknown(),
        description: 'An entry of `plugins` of a request, in its words.',
      },
    ),
  ),
  preventsOverrides: Type.Boolean({
    description: 'The entry of a request for this plugin has no effect.',
  }),
});

const settings = Type.Object(
  {
    name: Type.String(),
    slug: Type.String({ description: 'Its name in a path.' }),
    description: nullable(Type.String()),
    defaultTextModel: nullable(Type.String(), 'The model of a request that names none.'),
    defaultImageModel: nullable(Type.String()),
    defaultProviderSort: nullable(
      providerSort,
      'By what the endpoints of a model are ordered when a request does not say.',
    ),
    isObservabilityIoLoggingEnabled: Type.Boolean({
      description: 'Prompts and completions are stored, privately.',
    }),
    ioLoggingSamplingRate: Type.Number({
      description: 'The share of the requests that is stored, 0.0001 to 1.',
    }),
    ioLoggingApiKeyIds: nullable(
      Type.Array(Type.Integer()),
      'The keys whose traffic is logged; null: all keys.',
    ),
    isObservabilityBroadcastEnabled: Type.Boolean({
      description: 'The destinations of the workspace receive what it does.',
    }),
    isDataDiscountLoggingEnabled: Type.Boolean(),
    disabledServerTools: nullable(
      Type.Array(Type.String()),
      'Tools of the server that requests may not name; null: none.',
    ),
    defaultPlugins: nullable(
      Type.Array(pluginDefault),
      'The settings of plugins in requests that do not name them; null: none.',
    ),
  },
  { description: 'The settings of a workspace that people change.' },
);
export type WorkspaceSettings = Shape<typeof settings>;

/** The events of a workspace. Names and shapes are the storage format. */
export const workspaceStream = {
  category: 'workspace',
  id: '<workspace id>',
  description: 'A workspace, its settings and its budgets.',
  events: {
    WorkspaceCreated: event('A workspace exists from now on.', {
      workspaceId: Type.String(),
      accountId: Type.String(),
      isDefault: Type.Boolean(),
      settings,
      createdBy: nullable(Type.String(), 'The user; null: made by no person.'),
      createdAt: instant,
    }),
    WorkspaceUpdated: event('Settings became others; those that are not named stayed.', {
      changes: Type.Partial(settings),
      changedAt: instant,
    }),
    WorkspaceBudgetSet: event(
      'The budget of the workspace for windows of this length was set or changed. No usage is reset.',
      {
        budgetId: Type.String(),
        interval: budgetInterval,
        limitNanoUsd: nanoUsd,
        changedAt: instant,
      },
    ),
    WorkspaceBudgetRemoved: event('There is no cap on windows of this length any more.', {
      interval: budgetInterval,
      changedAt: instant,
    }),
    WorkspaceByokBudgetPolicyChanged: event(
      "Whether usage on credentials of one's own counts against all budgets was changed.",
      { includeByokInBudgets: Type.Boolean(), changedAt: instant },
    ),
    WorkspaceDeleted: event(
      'The workspace is gone for good, with its budgets; its usage history stays.',
      { changedAt: instant },
    ),
  },
};
export type WorkspaceEvent = EventOf<typeof workspaceStream>;
export type WorkspaceCreated = EventOf<typeof workspaceStream, 'WorkspaceCreated'>;
export type WorkspaceUpdated = EventOf<typeof workspaceStream, 'WorkspaceUpdated'>;
export type WorkspaceBudgetSet = EventOf<typeof workspaceStream, 'WorkspaceBudgetSet'>;
