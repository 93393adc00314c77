/** A destination as the read model shows it. */
export interface DestinationRow {
  readonly destinationId: string;
  readonly accountId: string;
  readonly workspaceId: string;
  readonly type: string;
  readonly secretId: string;
  readonly maskedConfig: string;
  readonly name: string | null;
  readonly enabled: boolean;
  readonly privacyMode: boolean;
  readonly samplingRate: number;
  readonly apiKeyHashes: readonly string[] | null;
  readonly filterRules: string | null;
  readonly broadcastGenerationCost: boolean;
  readonly broadcastGenerationIdentity: boolean;
  readonly broadcastGenerationRequestContext: boolean;
  readonly regions: readonly string[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The columns of a DestinationRow, of the table `destinations` under that name. */
export const destinationColumns = `
  destination_id AS "destinationId", destinations.account_id AS "accountId",
  destinations.workspace_id AS "workspaceId", type, secret_id AS "secretId",
  masked_config AS "maskedConfig", destinations.name, enabled, privacy_mode AS "privacyMode",
  sampling_rate AS "samplingRate", api_key_hashes AS "apiKeyHashes", filter_rules AS "filterRules",
  broadcast_generation_cost AS "broadcastGenerationCost",
  broadcast_generation_identity AS "broadcastGenerationIdentity",
  broadcast_generation_request_context AS "broadcastGenerationRequestContext", regions,
  destinations.created_at AS "createdAt", destinations.updated_at AS "updatedAt"`;
