import { type JsonObject, readDefaultEntry } from '@sluice/client-schemas';
import type { CommandContext } from '@sluice/protos/sluice/context/v1/context';
import type {
  CreateWorkspaceRequest,
  PluginDefault,
  UpdateWorkspaceRequest,
  WorkspaceSettings,
} from '@sluice/protos/sluice/workspace/v1/workspace';
import { derivedId } from '@sluice/clock-and-ids';
import type { CreateWorkspaceBody, UpdateWorkspaceBody } from './schema.ts';

/** `POST /workspaces` → the command. The same command makes the same workspace. */
export function createWorkspaceRequest(
  body: CreateWorkspaceBody,
  context: CommandContext,
  createdBy: string | undefined,
): CreateWorkspaceRequest {
  return {
    context,
    workspaceId: derivedId('workspace', context.commandId),
    name: body.name,
    slug: body.slug,
    isDefault: false,
    settings: settingsOf(body),
    createdBy,
  };
}

/** `PATCH /workspaces/{id}` → the command: a field that is left out stays as it is. */
export function updateWorkspaceRequest(
  body: UpdateWorkspaceBody,
  workspaceRef: string,
  context: CommandContext,
): UpdateWorkspaceRequest {
  const { name, slug, ...settings } = body;
  return {
    context,
    workspaceRef,
    name,
    slug,
    settings: settingsOf(body),
    changedSettings: Object.keys(settings),
  };
}

/** Returns the settings. An absent field has its default. */
function settingsOf(body: UpdateWorkspaceBody): WorkspaceSettings {
  return {
    description: body.description ?? undefined,
    defaultTextModel: body.default_text_model ?? undefined,
    defaultImageModel: body.default_image_model ?? undefined,
    defaultProviderSort: body.default_provider_sort ?? undefined,
    isObservabilityIoLoggingEnabled: body.is_observability_io_logging_enabled ?? false,
    ioLoggingSamplingRate: body.io_logging_sampling_rate ?? 1,
    isObservabilityBroadcastEnabled: body.is_observability_broadcast_enabled ?? false,
    isDataDiscountLoggingEnabled: body.is_data_discount_logging_enabled ?? false,
    ioLoggingApiKeyIds: body.io_logging_api_key_ids
      ? { ids: body.io_logging_api_key_ids.map(BigInt) }
      : undefined,
    disabledServerTools: body.disabled_server_tools ?? [],
    defaultPlugins: (body.default_plugins ?? []).map(pluginDefaultMessage),
  };
}

function pluginDefaultMessage(entry: JsonObject): PluginDefault {
  const { settings, preventsOverrides } = readDefaultEntry(entry);
  return { settings: JSON.stringify(settings), preventsOverrides };
}
