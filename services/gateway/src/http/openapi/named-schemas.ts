import { activityRow } from '../schemas/activity.ts';
import { budgetView, setBudgetBody } from '../schemas/budget.ts';
import { addCredentialBody, credentialView, updateCredentialBody } from '../schemas/byok.ts';
import { endpoint, model, modelEndpoints, provider } from '../schemas/catalog.ts';
import { currentKeyView } from '../schemas/current-key.ts';
import { endUserView, registerEndUserBody, updateEndUserBody } from '../schemas/end-user.ts';
import { feedbackBody, generationView } from '../schemas/generation.ts';
import {
  createGuardrailBody,
  guardrailView,
  keyAssignmentView,
  memberAssignmentView,
  updateGuardrailBody,
} from '../schemas/guardrail.ts';
import { responseBody, responseObject } from '../schemas/inference.ts';
import { createKeyBody, keyView, updateKeyBody } from '../schemas/key.ts';
import { memberView, updateSettingsBody } from '../schemas/organization.ts';
import {
  createMappingBody,
  groupView,
  mappingView,
  syncJobView,
  updateMappingBody,
} from '../schemas/scim.ts';
import { membershipView } from '../schemas/workspace-member.ts';
import { createWorkspaceBody, updateWorkspaceBody, workspaceView } from '../schemas/workspace.ts';

/** The resources, and what changes them, under the names that generated clients give them. */
export const namedSchemas: Readonly<Record<string, object>> = {
  ActivityRow: activityRow,
  AddCredential: addCredentialBody,
  Budget: budgetView,
  CreateGuardrail: createGuardrailBody,
  CreateKey: createKeyBody,
  CreateResponse: responseBody,
  CreateScimGroupMapping: createMappingBody,
  CreateWorkspace: createWorkspaceBody,
  Credential: credentialView,
  CurrentKey: currentKeyView,
  EndUser: endUserView,
  Endpoint: endpoint,
  Generation: generationView,
  Guardrail: guardrailView,
  GuardrailOfKey: keyAssignmentView,
  GuardrailOfMember: memberAssignmentView,
  Key: keyView,
  Model: model,
  ModelEndpoints: modelEndpoints,
  OrganizationMember: memberView,
  Provider: provider,
  RegisterEndUser: registerEndUserBody,
  Response: responseObject,
  ScimGroup: groupView,
  ScimGroupMapping: mappingView,
  ScimSyncJob: syncJobView,
  SendFeedback: feedbackBody,
  SetBudget: setBudgetBody,
  UpdateCredential: updateCredentialBody,
  UpdateEndUser: updateEndUserBody,
  UpdateGuardrail: updateGuardrailBody,
  UpdateKey: updateKeyBody,
  UpdateOrganizationSettings: updateSettingsBody,
  UpdateScimGroupMapping: updateMappingBody,
  UpdateWorkspace: updateWorkspaceBody,
  Workspace: workspaceView,
  WorkspaceMember: membershipView,
};
