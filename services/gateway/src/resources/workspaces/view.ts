import { type JsonObject, writeDefaultEntry } from '@sluice/client-schemas';
import { nanoUsdToNumber } from '@sluice/inference';
import type {
  Budget,
  Membership,
  PluginDefault,
  Workspace,
} from '@sluice/protos/sluice/workspace/v1/workspace';
import { present } from '../../clients/present.ts';
import type { BudgetView } from './budget-schema.ts';
import type { MembershipView } from './member-schema.ts';
import type { WorkspaceView } from './schema.ts';

/** The public form of a workspace. */
export function workspaceView(sent: Workspace | undefined): WorkspaceView {
  const workspace = present(sent);
  const settings = present(workspace.settings);
  const { disabledServerTools: tools, defaultPlugins: plugins } = settings;
  return {
    id: workspace.workspaceId,
    name: workspace.name,
    slug: workspace.slug,
    description: settings.description ?? null,
    default_text_model: settings.defaultTextModel ?? null,
    default_image_model: settings.defaultImageModel ?? null,
    default_provider_sort: settings.defaultProviderSort ?? null,
    default_guardrail_id: workspace.defaultGuardrailId,
    include_byok_in_budgets: workspace.includeByokInBudgets,
    is_observability_io_logging_enabled: settings.isObservabilityIoLoggingEnabled,
    io_logging_sampling_rate: settings.ioLoggingSamplingRate,
    io_logging_api_key_ids: settings.ioLoggingApiKeyIds?.ids.map(Number) ?? null,
    is_observability_broadcast_enabled: settings.isObservabilityBroadcastEnabled,
    is_data_discount_logging_enabled: settings.isDataDiscountLoggingEnabled,
    disabled_server_tools: tools.length === 0 ? null : tools,
    default_plugins: plugins.length === 0 ? null : plugins.map(pluginDefaultView),
    created_by: workspace.createdBy ?? null,
    created_at: workspace.createdAt,
    updated_at: workspace.updatedAt ?? null,
  };
}

function pluginDefaultView({ settings, preventsOverrides }: PluginDefault) {
  return writeDefaultEntry({ settings: JSON.parse(settings) as JsonObject, preventsOverrides });
}

/** The public form of a membership. */
export function membershipView(workspaceId: string, membership: Membership): MembershipView {
  return {
    id: membership.id,
    workspace_id: workspaceId,
    user_id: membership.userId,
    role: membership.role === 'admin' ? 'admin' : 'member',
    created_at: membership.createdAt,
  };
}

/** The public form of a budget; null for the window that never starts anew. */
export function budgetView(workspaceId: string, sent: Budget | undefined): BudgetView {
  const budget = present(sent);
  return {
    id: budget.budgetId,
    workspace_id: workspaceId,
    limit_usd: nanoUsdToNumber(budget.limitNanoUsd),
    reset_interval: resetIntervals.find((interval) => interval === budget.windowKind) ?? null,
    created_at: budget.createdAt,
    updated_at: budget.updatedAt,
  };
}

const resetIntervals = ['daily', 'weekly', 'monthly'] as const;
