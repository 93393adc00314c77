/** A workspace as the read model shows it. */
export interface WorkspaceRow {
  readonly workspaceId: string;
  readonly accountId: string;
  readonly isDefault: boolean;
  readonly name: string;
  readonly slug: string;
  readonly description: string | null;
  readonly defaultTextModel: string | null;
  readonly defaultImageModel: string | null;
  readonly defaultProviderSort: string | null;
  readonly isObservabilityIoLoggingEnabled: boolean;
  readonly ioLoggingSamplingRate: number;
  readonly ioLoggingApiKeyIds: readonly bigint[] | null;
  readonly isObservabilityBroadcastEnabled: boolean;
  readonly isDataDiscountLoggingEnabled: boolean;
  readonly disabledServerTools: readonly string[] | null;
  readonly defaultPlugins: readonly PluginDefaultRow[] | null;
  readonly includeByokInBudgets: boolean;
  readonly createdBy: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date | null;
}

export interface PluginDefaultRow {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly preventsOverrides: boolean;
}

/** The columns of a WorkspaceRow. */
export const workspaceColumns = `
  workspace_id AS "workspaceId", account_id AS "accountId", is_default AS "isDefault", name, slug,
  description, default_text_model AS "defaultTextModel",
  default_image_model AS "defaultImageModel", default_provider_sort AS "defaultProviderSort",
  is_observability_io_logging_enabled AS "isObservabilityIoLoggingEnabled",
  io_logging_sampling_rate AS "ioLoggingSamplingRate",
  io_logging_api_key_ids AS "ioLoggingApiKeyIds",
  is_observability_broadcast_enabled AS "isObservabilityBroadcastEnabled",
  is_data_discount_logging_enabled AS "isDataDiscountLoggingEnabled",
  disabled_server_tools AS "disabledServerTools", default_plugins AS "defaultPlugins",
  include_byok_in_budgets AS "includeByokInBudgets", created_by AS "createdBy",
  created_at AS "createdAt", updated_at AS "updatedAt"`;
