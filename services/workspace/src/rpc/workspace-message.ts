import { isObject } from '@sluice/client-schemas/plugins';
import { invalidValue } from '@sluice/errors';
import { defaultGuardrailId } from '@sluice/policy';
import type {
  Budget as BudgetMessage,
  ContentLogging,
  PluginDefault as PluginDefaultMessage,
  Workspace as WorkspaceMessage,
  WorkspaceSettings as SettingsMessage,
} from '@sluice/protos/sluice/workspace/v1/workspace';
import { budgetIntervals } from '../domain/workspace/budgets.ts';
import type { ProviderSort, WorkspaceSettings } from '../domain/workspace/events.ts';
import { defaultSettings } from '../domain/workspace/settings.ts';
import type { Budget, LivingWorkspace, Workspace } from '../domain/workspace/state.ts';
import type { WorkspaceRow } from '../queries/workspace-row.ts';

/** undefined when there is no such workspace any more. */
export function fromState(workspace: Workspace): WorkspaceMessage | undefined {
  if (workspace.kind !== 'created') return undefined;
  return message({ ...workspace, ...workspace.settings });
}

export function fromRow(row: WorkspaceRow): WorkspaceMessage {
  return message({
    ...row,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt?.toISOString() ?? null,
  });
}

/** From the broadest window to the narrowest. */
export function budgetMessages({ budgets }: LivingWorkspace): BudgetMessage[] {
  return budgets
    .toSorted(
      (one, other) =>
        budgetIntervals.indexOf(one.interval) - budgetIntervals.indexOf(other.interval),
    )
    .map(budgetMessage);
}

export function budgetMessage({ interval: windowKind, ...budget }: Budget): BudgetMessage {
  return { ...budget, windowKind };
}

/** A message that is absent has the defaults. Whether the values are any good the domain says. */
export function settingsFrom(
  settings: SettingsMessage | undefined,
): Omit<WorkspaceSettings, 'name' | 'slug'> {
  if (settings === undefined) return defaultSettings;
  const { ioLoggingApiKeyIds, disabledServerTools } = settings;
  return {
    description: settings.description ?? null,
    defaultTextModel: settings.defaultTextModel ?? null,
    defaultImageModel: settings.defaultImageModel ?? null,
    defaultProviderSort: (settings.defaultProviderSort ?? null) as ProviderSort | null,
    isObservabilityIoLoggingEnabled: settings.isObservabilityIoLoggingEnabled,
    ioLoggingSamplingRate: settings.ioLoggingSamplingRate,
    ioLoggingApiKeyIds: ioLoggingApiKeyIds?.ids.map(Number) ?? null,
    isObservabilityBroadcastEnabled: settings.isObservabilityBroadcastEnabled,
    isDataDiscountLoggingEnabled: settings.isDataDiscountLoggingEnabled,
    disabledServerTools: disabledServerTools.length === 0 ? null : disabledServerTools,
    defaultPlugins: settings.defaultPlugins.map(pluginDefaultFrom),
  };
}

/** Writes the defaults of plugins. States of earlier releases have none. */
export function pluginDefaultMessages(
  defaults: WorkspaceSettings['defaultPlugins'] | undefined,
): PluginDefaultMessage[] {
  return (defaults ?? []).map(({ settings, preventsOverrides }) => ({
    settings: JSON.stringify(settings),
    preventsOverrides,
  }));
}

/** Writes whose contents the workspace stores. Undefined: of none. */
export function contentLoggingMessage({
  isObservabilityIoLoggingEnabled,
  ioLoggingSamplingRate: samplingRate,
  ioLoggingApiKeyIds: keyIds,
}: WorkspaceSettings): ContentLogging | undefined {
  if (!isObservabilityIoLoggingEnabled) return undefined;
  return { samplingRate, apiKeyIds: keyIds ? { ids: keyIds.map(BigInt) } : undefined };
}

function pluginDefaultFrom({ settings, preventsOverrides }: PluginDefaultMessage) {
  try {
    const parsed: unknown = JSON.parse(settings);
    if (isObject(parsed)) return { settings: parsed, preventsOverrides };
  } catch {
    // Refused below.
  }
  throw invalidValue('default_plugins', 'must be JSON objects');
}

/** Picks the settings that the request names, by the names of the proto. Throws invalid_request for other names. */
export function namedSettings(
  settings: SettingsMessage | undefined,
  names: readonly string[],
): Partial<WorkspaceSettings> {
  const all: Readonly<Record<string, unknown>> = settingsFrom(settings);
  return Object.fromEntries(
    names.map((name) => {
      const key = name.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
      if (!Object.hasOwn(all, key)) throw invalidValue(name, 'is no setting');
      return [key, all[key]];
    }),
  );
}

type Values = Omit<WorkspaceRow, 'createdAt' | 'updatedAt' | 'ioLoggingApiKeyIds'> & {
  readonly ioLoggingApiKeyIds: readonly (number | bigint)[] | null;
  readonly createdAt: string;
  readonly updatedAt: string | null;
};

function message(values: Values): WorkspaceMessage {
  const { ioLoggingApiKeyIds: keyIds } = values;
  return {
    workspaceId: values.workspaceId,
    accountId: values.accountId,
    name: values.name,
    slug: values.slug,
    isDefault: values.isDefault,
    createdAt: values.createdAt,
    settings: {
      description: values.description ?? undefined,
      defaultTextModel: values.defaultTextModel ?? undefined,
      defaultImageModel: values.defaultImageModel ?? undefined,
      defaultProviderSort: values.defaultProviderSort ?? undefined,
      isObservabilityIoLoggingEnabled: values.isObservabilityIoLoggingEnabled,
      ioLoggingSamplingRate: values.ioLoggingSamplingRate,
      ioLoggingApiKeyIds: keyIds === null ? undefined : { ids: keyIds.map(BigInt) },
      isObservabilityBroadcastEnabled: values.isObservabilityBroadcastEnabled,
      isDataDiscountLoggingEnabled: values.isDataDiscountLoggingEnabled,
      disabledServerTools: [...(values.disabledServerTools ?? [])],
      defaultPlugins: pluginDefaultMessages(values.defaultPlugins),
    },
    defaultGuardrailId: defaultGuardrailId(values.workspaceId),
    includeByokInBudgets: values.includeByokInBudgets,
    createdBy: values.createdBy ?? undefined,
    updatedAt: values.updatedAt ?? undefined,
  };
}
