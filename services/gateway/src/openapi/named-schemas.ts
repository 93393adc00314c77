import { activityRow } from '../resources/activity/schema.ts';
import { createExportBody, exportView } from '../resources/analytics/export-schema.ts';
import {
  analyticsAnswer,
  analyticsMetaView,
  analyticsQueryBody,
  analyticsRow,
} from '../resources/analytics/schema.ts';
import { budgetView, setBudgetBody } from '../resources/workspaces/budget-schema.ts';
import {
  addCredentialBody,
  credentialView,
  updateCredentialBody,
} from '../resources/byok/schema.ts';
import { endpoint, model, modelEndpoints, provider } from '../resources/models/schema.ts';
import { containerFileView } from '../resources/containers/schema.ts';
import { currentKeyView } from '../resources/current-key/schema.ts';
import {
  endUserView,
  registerEndUserBody,
  updateEndUserBody,
} from '../resources/end-users/schema.ts';
import { fileView } from '../resources/files/schema.ts';
import { feedbackBody, generationView } from '../resources/generation/schema.ts';
import { unsupportedFeaturesView } from '../resources/guardrails/feature-schema.ts';
import {
  keyAssignmentView,
  memberAssignmentView,
} from '../resources/guardrails/assignment-schema.ts';
import { allowedPhrasesView } from '../resources/guardrails/phrase-schema.ts';
import {
  createGuardrailBody,
  guardrailView,
  updateGuardrailBody,
} from '../resources/guardrails/schema.ts';
import { guardrailTestView } from '../resources/guardrails/test-schema.ts';
import { embeddingList, embeddingsRequest } from '../resources/embeddings/schema.ts';
import { rankedDocuments, rerankRequest } from '../resources/rerank/schema.ts';
import { responseBody, responseObject } from '../resources/responses/schema.ts';
import { modelAliasView, setModelAliasBody } from '../resources/model-aliases/schema.ts';
import {
  presetDetails,
  presetVersionView,
  presetView,
  updatePresetBody,
} from '../resources/presets/schema.ts';
import {
  createEndpointBody,
  endpointSummary,
  fullEndpoint,
  managedEndpoint,
  updateEndpointBody,
  validationView,
} from '../resources/private-endpoints/schema.ts';
import { createKeyBody, keyView, updateKeyBody } from '../resources/keys/schema.ts';
import { memberView, updateSettingsBody } from '../resources/organization/schema.ts';
import {
  createMappingBody,
  groupView,
  mappingView,
  syncJobView,
  updateMappingBody,
} from '../resources/scim/schema.ts';
import {
  deadLetterView,
  destinationStatusView,
  destinationTestView,
  replayView,
} from '../resources/destinations/delivery-schema.ts';
import {
  createDestinationBody,
  destinationView,
  updateDestinationBody,
} from '../resources/destinations/schema.ts';
import { membershipView } from '../resources/workspaces/member-schema.ts';
import {
  createWorkspaceBody,
  updateWorkspaceBody,
  workspaceView,
} from '../resources/workspaces/schema.ts';

/** The resources, and what changes them, under the names that generated clients give them. */
export const namedSchemas: Readonly<Record<string, object>> = {
  ActivityRow: activityRow,
  AllowedPhrases: allowedPhrasesView,
  AnalyticsMeta: analyticsMetaView,
  AnalyticsAnswer: analyticsAnswer,
  AnalyticsRow: analyticsRow,
  QueryAnalytics: analyticsQueryBody,
  CreateExport: createExportBody,
  AnalyticsExport: exportView,
  AddCredential: addCredentialBody,
  Budget: budgetView,
  ContainerFile: containerFileView,
  CreateDestination: createDestinationBody,
  Destination: destinationView,
  DestinationStatus: destinationStatusView,
  DestinationTest: destinationTestView,
  DeadLetter: deadLetterView,
  DeadLetterReplay: replayView,
  UpdateDestination: updateDestinationBody,
  CreateEmbeddings: embeddingsRequest,
  RerankDocuments: rerankRequest,
  CreateGuardrail: createGuardrailBody,
  CreateKey: createKeyBody,
  CreateResponse: responseBody,
  CreateScimGroupMapping: createMappingBody,
  CreateWorkspace: createWorkspaceBody,
  Credential: credentialView,
  CurrentKey: currentKeyView,
  EmbeddingList: embeddingList,
  RankedDocuments: rankedDocuments,
  EndUser: endUserView,
  Endpoint: endpoint,
  File: fileView,
  Generation: generationView,
  Guardrail: guardrailView,
  GuardrailTest: guardrailTestView,
  GuardrailOfKey: keyAssignmentView,
  GuardrailOfMember: memberAssignmentView,
  Key: keyView,
  Model: model,
  ModelEndpoints: modelEndpoints,
  OrganizationMember: memberView,
  ModelAlias: modelAliasView,
  CreatePrivateEndpoint: createEndpointBody,
  ManagedPrivateEndpoint: managedEndpoint,
  PrivateEndpoint: fullEndpoint,
  PrivateEndpointSummary: endpointSummary,
  PrivateEndpointValidation: validationView,
  UpdatePrivateEndpoint: updateEndpointBody,
  Preset: presetView,
  PresetDetails: presetDetails,
  PresetVersion: presetVersionView,
  Provider: provider,
  RegisterEndUser: registerEndUserBody,
  Response: responseObject,
  ScimGroup: groupView,
  ScimGroupMapping: mappingView,
  ScimSyncJob: syncJobView,
  SendFeedback: feedbackBody,
  SetBudget: setBudgetBody,
  UnsupportedFeatures: unsupportedFeaturesView,
  UpdateCredential: updateCredentialBody,
  UpdateEndUser: updateEndUserBody,
  UpdateGuardrail: updateGuardrailBody,
  UpdateKey: updateKeyBody,
  UpdateOrganizationSettings: updateSettingsBody,
  UpdateScimGroupMapping: updateMappingBody,
  SetModelAlias: setModelAliasBody,
  UpdatePreset: updatePresetBody,
  UpdateWorkspace: updateWorkspaceBody,
  Workspace: workspaceView,
  WorkspaceMember: membershipView,
};
