import { type Queryable, type SqlValue, streamProjection } from '@sluice/read-model';
import type {
  WorkspaceCreated,
  WorkspaceEvent,
  WorkspaceSettings,
  WorkspaceUpdated,
} from '../domain/workspace/events.ts';
import { workspaceEvents } from '../store/workspace-events.ts';

/** Keeps the table `workspaces`: one row per workspace that is not deleted. */
export const workspacesProjection = streamProjection(
  workspaceEvents,
  { projection: 'workspace.workspaces', version: 2, tables: ['workspaces'] },
  (transaction, event, stream) => apply(transaction, workspaceEvents.idOf(stream), event),
);

async function apply(
  transaction: Queryable,
  workspaceId: string,
  event: WorkspaceEvent,
): Promise<void> {
  switch (event.type) {
    case 'WorkspaceCreated':
      return insert(transaction, event.data);
    case 'WorkspaceUpdated':
      return update(transaction, workspaceId, event.data);
    case 'WorkspaceByokBudgetPolicyChanged': {
      const { includeByokInBudgets, changedAt } = event.data;
      await transaction.query({
        name: 'set-workspace-byok-policy',
        text: `UPDATE workspaces SET include_byok_in_budgets = $2, updated_at = $3
               WHERE workspace_id = $1`,
        values: [workspaceId, includeByokInBudgets, changedAt],
      });
      return;
    }
    case 'WorkspaceDeleted': {
      const text = 'DELETE FROM workspaces WHERE workspace_id = $1';
      await transaction.query({ name: 'delete-workspace', text, values: [workspaceId] });
      return;
    }
    case 'WorkspaceBudgetSet':
    case 'WorkspaceBudgetRemoved':
  }
}

/** The column of each setting. */
const columns = {
  name: 'name',
  slug: 'slug',
  description: 'description',
  defaultTextModel: 'default_text_model',
  defaultImageModel: 'default_image_model',
  defaultProviderSort: 'default_provider_sort',
  isObservabilityIoLoggingEnabled: 'is_observability_io_logging_enabled',
  ioLoggingSamplingRate: 'io_logging_sampling_rate',
  ioLoggingApiKeyIds: 'io_logging_api_key_ids',
  isObservabilityBroadcastEnabled: 'is_observability_broadcast_enabled',
  isDataDiscountLoggingEnabled: 'is_data_discount_logging_enabled',
  disabledServerTools: 'disabled_server_tools',
  defaultPlugins: 'default_plugins',
} as const satisfies Record<keyof WorkspaceSettings, string>;

const settingNames = Object.keys(columns) as readonly (keyof WorkspaceSettings)[];

/** Returns the value of a column. Plugins are a document. */
function valueOf(name: keyof WorkspaceSettings, settings: Partial<WorkspaceSettings>): SqlValue {
  if (name !== 'defaultPlugins') return settings[name] ?? null;
  const plugins = settings[name] ?? null;
  return plugins && JSON.stringify(plugins);
}

async function insert(transaction: Queryable, data: WorkspaceCreated['data']): Promise<void> {
  const values: readonly SqlValue[] = [
    data.workspaceId,
    data.accountId,
    data.isDefault,
    data.createdBy,
    data.createdAt,
    data.settings.isObservabilityBroadcastEnabled ? data.createdAt : null,
    ...settingNames.map((name) => valueOf(name, data.settings)),
  ];
  await transaction.query({
    name: 'insert-workspace',
    text: `INSERT INTO workspaces (workspace_id, account_id, is_default, created_by, created_at,
             broadcasts_since, ${settingNames.map((name) => columns[name]).join(', ')})
           VALUES (${values.map((_value, index) => `$${index + 1}`).join(', ')})
           ON CONFLICT (workspace_id) DO NOTHING`,
    values,
  });
}

/** Returns the change of the column that says since when the workspace has broadcast without a break. */
function sinceOf({ isObservabilityBroadcastEnabled: isOn }: Partial<WorkspaceSettings>): string {
  if (isOn !== true) return 'broadcasts_since = NULL';
  return `broadcasts_since =
    CASE WHEN is_observability_broadcast_enabled THEN broadcasts_since ELSE $2::timestamptz END`;
}

async function update(
  transaction: Queryable,
  workspaceId: string,
  { changes, changedAt }: WorkspaceUpdated['data'],
): Promise<void> {
  const changed = settingNames.flatMap((name) => {
    if (changes[name] === undefined) return [];
    return [{ column: columns[name], value: valueOf(name, changes) }];
  });
  const set = changed.map(({ column }, index) => `${column} = $${index + 3}`);
  if (changes.isObservabilityBroadcastEnabled !== undefined) set.push(sinceOf(changes));
  await transaction.query({
    text: `UPDATE workspaces SET ${['updated_at = $2', ...set].join(', ')} WHERE workspace_id = $1`,
    values: [workspaceId, changedAt, ...changed.map(({ value }) => value)],
  });
}
