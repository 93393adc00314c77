import type { AnalyticsServiceService } from '@sluice/protos/sluice/analytics/v1/analytics';
import type { ExportServiceService } from '@sluice/protos/sluice/analytics/v1/export';
import type { AccountServiceService } from '@sluice/protos/sluice/account/v1/account';
import type { AuditServiceService } from '@sluice/protos/sluice/account/v1/audit';
import type { IdempotencyServiceService } from '@sluice/protos/sluice/account/v1/idempotency';
import type { EndUserServiceService } from '@sluice/protos/sluice/account/v1/end_user';
import type { PrivateEndpointServiceService } from '@sluice/protos/sluice/account/v1/private_endpoint';
import type { ScimServiceService } from '@sluice/protos/sluice/account/v1/scim';
import type { GuardrailServiceService } from '@sluice/protos/sluice/guardrail/v1/guardrail';
import type { ByokServiceService } from '@sluice/protos/sluice/key/v1/byok';
import type { LedgerServiceService } from '@sluice/protos/sluice/ledger/v1/ledger';
import type { KeyServiceService } from '@sluice/protos/sluice/key/v1/key';
import type { WorkspaceServiceService } from '@sluice/protos/sluice/workspace/v1/workspace';
import type { ObserverServiceService } from '@sluice/protos/sluice/observer/v1/observer';
import type { DestinationServiceService } from '@sluice/protos/sluice/workspace/v1/destination';
import type { SandboxServiceService } from '@sluice/protos/sluice/sandbox/v1/sandbox';
import type { Calls } from '@sluice/rpc';

/** The calls of the gateway to other services. Each throws not_found for a resource of another account. */
export type AccountCalls = Pick<
  Calls<AccountServiceService>,
  'getAccount' | 'listMembers' | 'changeOrganizationSettings'
>;
export type AnalyticsCalls = Pick<Calls<AnalyticsServiceService>, 'query'>;
export type ExportCalls = Calls<ExportServiceService>;
export type AuditCalls = Calls<AuditServiceService>;
export type ByokCalls = Calls<ByokServiceService>;
export type DestinationCalls = Calls<DestinationServiceService>;
export type EndUserCalls = Calls<EndUserServiceService>;
export type GuardrailCalls = Omit<Calls<GuardrailServiceService>, 'getEffectivePolicy'>;
export type PolicyCalls = Pick<Calls<GuardrailServiceService>, 'getEffectivePolicy'>;
export type IdempotencyCalls = Calls<IdempotencyServiceService>;
export type KeyCalls = Pick<
  Calls<KeyServiceService>,
  'resolveKey' | 'issueKey' | 'confirmDelivery' | 'listKeys' | 'getKey' | 'updateKey' | 'deleteKey'
>;
export type LedgerCalls = Pick<
  Calls<LedgerServiceService>,
  | 'getCredits'
  | 'getKeyUsage'
  | 'getGeneration'
  | 'listActivity'
  | 'recordFeedback'
  | 'getBudgetProof'
  | 'getConservationProof'
>;
export type ObserverCalls = Calls<ObserverServiceService>;
/** Not found, too: a container that is not warm. */
export type SandboxCalls = Pick<Calls<SandboxServiceService>, 'listFiles' | 'readFile'>;
export type PrivateEndpointCalls = Calls<PrivateEndpointServiceService>;
export type ScimCalls = Calls<ScimServiceService>;
export type WorkspaceCalls = Pick<
  Calls<WorkspaceServiceService>,
  | 'createWorkspace'
  | 'getWorkspace'
  | 'listWorkspaces'
  | 'updateWorkspace'
  | 'deleteWorkspace'
  | 'listMembers'
  | 'addMembers'
  | 'removeMembers'
  | 'listBudgets'
  | 'setBudget'
  | 'removeBudget'
  | 'savePreset'
  | 'updatePreset'
  | 'getPreset'
  | 'listPresets'
  | 'listPresetVersions'
  | 'setModelAlias'
  | 'deleteModelAlias'
  | 'listModelAliases'
>;
