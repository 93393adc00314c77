import { AccountServiceService } from '@sluice/protos/sluice/account/v1/account';
import { AnalyticsServiceService } from '@sluice/protos/sluice/analytics/v1/analytics';
import { ExportServiceService } from '@sluice/protos/sluice/analytics/v1/export';
import { AuditServiceService } from '@sluice/protos/sluice/account/v1/audit';
import { PrivateEndpointServiceService } from '@sluice/protos/sluice/account/v1/private_endpoint';
import { EndUserServiceService } from '@sluice/protos/sluice/account/v1/end_user';
import { IdempotencyServiceService } from '@sluice/protos/sluice/account/v1/idempotency';
import { ScimServiceService } from '@sluice/protos/sluice/account/v1/scim';
import { ByokServiceService } from '@sluice/protos/sluice/key/v1/byok';
import { GuardrailServiceService } from '@sluice/protos/sluice/guardrail/v1/guardrail';
import { KeyServiceService } from '@sluice/protos/sluice/key/v1/key';
import { LedgerServiceService } from '@sluice/protos/sluice/ledger/v1/ledger';
import { ObserverServiceService } from '@sluice/protos/sluice/observer/v1/observer';
import { SandboxServiceService } from '@sluice/protos/sluice/sandbox/v1/sandbox';
import { DestinationServiceService } from '@sluice/protos/sluice/workspace/v1/destination';
import { FileServiceService } from '@sluice/protos/sluice/workspace/v1/file';
import { WorkspaceServiceService } from '@sluice/protos/sluice/workspace/v1/workspace';
import { StandingServiceService } from '@sluice/protos/sluice/standing/v1/standing';
import { rpcClient, type RpcClient, type RpcDefinition } from '@sluice/rpc';
import type { Tracing } from '@sluice/telemetry';
import type { FileCalls } from '@sluice/workspace-files';
import type {
  AccountCalls,
  AnalyticsCalls,
  ExportCalls,
  AuditCalls,
  ByokCalls,
  DestinationCalls,
  EndUserCalls,
  GuardrailCalls,
  IdempotencyCalls,
  KeyCalls,
  LedgerCalls,
  PolicyCalls,
  PrivateEndpointCalls,
  ObserverCalls,
  SandboxCalls,
  ScimCalls,
  WorkspaceCalls,
} from './clients/calls.ts';
import type { StandingCalls } from './clients/standings.ts';

/** Everybody whom the gateway asks: over gRPC, or their handlers in the same process. */
export interface RpcCalls {
  readonly keys: KeyCalls;
  readonly byok: ByokCalls;
  readonly accounts: AccountCalls;
  readonly endUsers: EndUserCalls;
  readonly privateEndpoints: PrivateEndpointCalls;
  readonly scim: ScimCalls;
  readonly idempotency: IdempotencyCalls;
  readonly audit: AuditCalls;
  readonly guardrails: GuardrailCalls;
  readonly ledger: LedgerCalls;
  /** Undefined where there is no analytics service. */
  readonly analytics: AnalyticsCalls | undefined;
  readonly exports: ExportCalls | undefined;
  readonly workspaces: WorkspaceCalls;
  readonly files: FileCalls;
  readonly destinations: DestinationCalls;
  /** Undefined where there is no observer service. */
  readonly observer: ObserverCalls | undefined;
  readonly policies: PolicyCalls;
  /** Undefined where there is no sandbox. */
  readonly sandbox: SandboxCalls | undefined;
  /** The other services that report their standing. Services of this process are left out: its readiness has them. */
  readonly standings: readonly StandingCalls[];
}

/** Makes the client of a service by its name. It connects with the first call. */
export type MakeClient<Service extends string> = <Definition extends RpcDefinition>(
  definition: Definition,
  service: Service,
  deadlineMs?: number,
) => RpcClient<Definition>;

type RequiredService = 'account' | 'key' | 'guardrail' | 'ledger' | 'workspace';
type OptionalService = 'analytics' | 'observer' | 'sandbox';

const deadlineMs = 5_000;
/** A part of a content may come from a slow bucket. An upload has the deadline of a stream. */
const fileDeadlineMs = 30_000;
/** Above the time limit of a question, after which it is canceled. */
export const questionDeadlineMs = 35_000;
/** Above the longest creation of a private endpoint that is checked and activated. */
const privateEndpointDeadlineMs = 50_000;

/** Makes the clients of the services that each installation has. */
export function requiredClients(client: MakeClient<RequiredService>) {
  const guardrails = client(GuardrailServiceService, 'guardrail');
  return {
    keys: client(KeyServiceService, 'key'),
    byok: client(ByokServiceService, 'key'),
    accounts: client(AccountServiceService, 'account'),
    endUsers: client(EndUserServiceService, 'account'),
    privateEndpoints: client(PrivateEndpointServiceService, 'account', privateEndpointDeadlineMs),
    scim: client(ScimServiceService, 'account'),
    idempotency: client(IdempotencyServiceService, 'account'),
    audit: client(AuditServiceService, 'account'),
    guardrails,
    policies: guardrails,
    ledger: client(LedgerServiceService, 'ledger'),
    workspaces: client(WorkspaceServiceService, 'workspace'),
    files: client(FileServiceService, 'workspace', fileDeadlineMs),
    destinations: client(DestinationServiceService, 'workspace'),
  };
}

export interface RpcConnections {
  /** `host:port` of each. Undefined: the installation does not have the service. */
  readonly addresses: Readonly<Record<RequiredService, string>> &
    Readonly<Record<OptionalService, string | undefined>>;
  readonly token: string;
  readonly tracing: Tracing;
  /** Told of each connection, for the end. */
  readonly onOpen: (name: string, close: () => void) => void;
}

/** Connects to services that are processes of their own, with the first call. */
export function connectRpc({ addresses, token, tracing, onOpen }: RpcConnections): RpcCalls {
  const at = <Definition extends RpcDefinition>(
    definition: Definition,
    address: string,
    callMs = deadlineMs,
  ) => {
    const client = rpcClient(definition, { address, token, deadlineMs: callMs, tracing });
    onOpen(`rpc ${address}`, () => client.close());
    return client;
  };
  const optional = <Definition extends RpcDefinition>(
    definition: Definition,
    address: string | undefined,
    callMs?: number,
  ) => (address === undefined ? undefined : at(definition, address, callMs));
  const { observer, sandbox, analytics, ...required } = addresses;
  const standing = [...Object.values(required), ...(analytics === undefined ? [] : [analytics])];
  return {
    ...requiredClients((definition, service, callMs) => at(definition, required[service], callMs)),
    analytics: optional(AnalyticsServiceService, analytics, questionDeadlineMs),
    exports: optional(ExportServiceService, analytics),
    observer: optional(ObserverServiceService, observer, questionDeadlineMs),
    sandbox: optional(SandboxServiceService, sandbox),
    standings: standing.map((address) => at(StandingServiceService, address)),
  };
}
