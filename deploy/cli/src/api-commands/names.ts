/**
 * Names that the API's description does not give. An operation that is not named here has a command without any work:
 * its words come from its path and its operationId, its flags from its parameters and the fields of its body.
 */

/** Commands that are called otherwise than their operationId gives. */
export const commandNames: Readonly<Record<string, string>> = {
  addCredential: 'byok create',
  assignGuardrailToKeys: 'guardrails assign-keys',
  assignGuardrailToMembers: 'guardrails assign-members',
  getAnalyticsMeta: 'analytics meta',
  queryAnalytics: 'analytics query',
  createExport: 'analytics export',
  deactivateEndUser: 'end-users delete',
  getActivity: 'activity list',
  getAllowedPhrases: 'guardrails allowed-phrases list',
  // `credits show` is the operator's.
  getCredits: 'credits balance',
  getDestinationStatus: 'observability destinations status',
  getModel: 'models get',
  listDeadLetters: 'observability destinations dead-letters',
  listEmbeddingModels: 'models embeddings',
  listKeyAssignments: 'guardrails assignments keys',
  listKeyAssignmentsOfGuardrail: 'guardrails assignments keys-of',
  listMemberAssignments: 'guardrails assignments members',
  listMemberAssignmentsOfGuardrail: 'guardrails assignments members-of',
  listUsableModels: 'models usable',
  listZeroRetentionEndpoints: 'models zdr',
  savePresetOfChatCompletion: 'presets save-chat',
  savePresetOfMessage: 'presets save-message',
  savePresetOfResponse: 'presets save',
  requestScimSync: 'scim sync start',
  sendGenerationFeedback: 'generation feedback',
  unassignGuardrailFromKeys: 'guardrails unassign-keys',
  unassignGuardrailFromMembers: 'guardrails unassign-members',
  updateOrganizationSettings: 'organization set',
};

/**
 * Operations without a command: another one does the same, or a body is no JSON. The pages of the description have
 * none either.
 */
export const withoutCommand: readonly string[] = [
  'retrieveModel',
  'retrieveModelByName',
  'createFile',
  'getFileContent',
];
export const pagesTag = 'This description';

/** Segments of paths that the words of commands write otherwise. */
export const segmentNames: Readonly<Record<string, string>> = {
  'group-mappings': 'mappings',
  'model-aliases': 'aliases',
  proof: 'proofs',
  'sync-jobs': 'sync',
};

/** Fields whose flag has another name. */
export const flagNames: Readonly<Record<string, string>> = {
  allowed_api_key_hashes: 'allowed-keys',
  allowed_user_ids: 'allowed-users',
  api_key_hash: 'key',
  confirm_default_workspace_deletion: 'confirm-default',
  creator_user_id: 'creator',
  generation_id: 'id',
  include_byok_in_budgets: 'include-byok',
  is_data_discount_logging_enabled: 'data-discount-logging',
  is_filtered_model_catalog_enabled: 'filtered-model-catalog',
  is_observability_broadcast_enabled: 'broadcast',
  is_observability_io_logging_enabled: 'io-logging',
  limit_usd: 'limit',
  reset_interval: 'reset',
  scim_group_id: 'group',
  'setUnsupportedFeatures.unsupported_features': 'mode',
  'testGuardrail.text': 'file',
  user_id: 'user',
  workspace_id: 'workspace',
};

/** Texts that are long: their flag names a file. */
export const fieldsFromFiles: readonly string[] = ['testGuardrail.text'];

/** Fields that change the answer into something other than one JSON document. */
export const fieldsWithoutFlag: readonly string[] = [
  'after_id',
  'before_id',
  'stream',
  'stream_options',
  'use_rss',
  'use_rss_chat_links',
];

/** The lists inside of a single thing. */
export const rowsOf: Readonly<Record<string, string>> = {
  listModelEndpoints: 'endpoints',
  proveBudget: 'budgets',
  queryAnalytics: 'data',
  testGuardrail: 'detections',
};

/** The columns of a list, by the name of its items' schema, or by the operation. */
export const columnsOf: Readonly<Record<string, string>> = {
  ActivityRow: 'date model provider_name requests prompt_tokens completion_tokens usage',
  AnalyticsExport: 'id status format table row_count size_bytes created_at',
  Budget: 'reset_interval limit_usd updated_at id',
  Credential: 'id provider label name disabled is_fallback sort_order',
  EndUser: 'user is_active created_at updated_at',
  Guardrail: 'id name limit_usd reset_interval created_at',
  GuardrailOfKey: 'key_hash key_name guardrail_id created_at',
  GuardrailOfMember: 'user_id guardrail_id created_at',
  Key: 'hash label name disabled limit limit_remaining usage created_at',
  Model: 'id name context_length pricing',
  ModelAlias: 'name workspace_id models budget_model version updated_at',
  OrganizationMember: 'id email first_name last_name role',
  Preset: 'slug name status designated_version_id updated_at',
  PresetVersion: 'version id creator_id created_at',
  Provider: 'slug name headquarters privacy_policy_url',
  ScimGroup: 'id display_name external_id updated_at',
  ScimGroupMapping: 'id scim_group_id workspace_id role created_at',
  Workspace: 'id slug name description created_at',
  WorkspaceMember: 'user_id role created_at',
  listModelEndpoints:
    'tag provider_name quantization status uptime_last_1d latency_last_30m throughput_last_30m pricing',
  listZeroRetentionEndpoints: 'model_id tag provider_name pricing',
  testGuardrail: 'filter label action pattern start end',
};
