import { AccountServiceService } from '@sluice/protos/sluice/account/v1/account';
import { AuditServiceService } from '@sluice/protos/sluice/account/v1/audit';
import { EndUserServiceService } from '@sluice/protos/sluice/account/v1/end_user';
import { IdempotencyServiceService } from '@sluice/protos/sluice/account/v1/idempotency';
import { PrivateEndpointServiceService } from '@sluice/protos/sluice/account/v1/private_endpoint';
import { ScimServiceService } from '@sluice/protos/sluice/account/v1/scim';
import { AnalyticsServiceService } from '@sluice/protos/sluice/analytics/v1/analytics';
import { ExportServiceService } from '@sluice/protos/sluice/analytics/v1/export';
import { GuardrailServiceService } from '@sluice/protos/sluice/guardrail/v1/guardrail';
import { ByokServiceService } from '@sluice/protos/sluice/key/v1/byok';
import { KeyServiceService } from '@sluice/protos/sluice/key/v1/key';
import { LedgerServiceService } from '@sluice/protos/sluice/ledger/v1/ledger';
import { ObserverServiceService } from '@sluice/protos/sluice/observer/v1/observer';
import { DestinationServiceService } from '@sluice/protos/sluice/workspace/v1/destination';
import { FileServiceService } from '@sluice/protos/sluice/workspace/v1/file';
import { WorkspaceServiceService } from '@sluice/protos/sluice/workspace/v1/workspace';
import type { Parts } from './parts.ts';

export type Clients = ReturnType<typeof connectClients>;

/** The end of an upload may send the whole content to a bucket. */
const fileDeadlineMs = 120_000;

/** Above the time limit of a question, after which it is canceled. */
const questionDeadlineMs = 35_000;

/** Above the time that a receiver has for a test. */
const testDeadlineMs = 35_000;

/** Above the longest creation of a private endpoint that is checked and activated. */
const privateEndpointDeadlineMs = 50_000;

/** Makes the clients before the services, since services call each other in circles. */
export function connectClients(parts: Parts) {
  const guardrail = parts.client(GuardrailServiceService, 'guardrail');
  return {
    ledger: parts.client(LedgerServiceService, 'ledger'),
    analytics: parts.client(AnalyticsServiceService, 'analytics', questionDeadlineMs),
    exports: parts.client(ExportServiceService, 'analytics'),
    account: parts.client(AccountServiceService, 'account'),
    endUsers: parts.client(EndUserServiceService, 'account'),
    privateEndpoints: parts.client(
      PrivateEndpointServiceService,
      'account',
      privateEndpointDeadlineMs,
    ),
    scim: parts.client(ScimServiceService, 'account'),
    idempotency: parts.client(IdempotencyServiceService, 'account'),
    audit: parts.client(AuditServiceService, 'account'),
    workspace: parts.client(WorkspaceServiceService, 'workspace'),
    files: parts.client(FileServiceService, 'workspace', fileDeadlineMs),
    destinations: parts.client(DestinationServiceService, 'workspace'),
    observer: parts.client(ObserverServiceService, 'observer', testDeadlineMs),
    key: parts.client(KeyServiceService, 'key'),
    byok: parts.client(ByokServiceService, 'key'),
    guardrail,
    policies: guardrail,
  };
}
