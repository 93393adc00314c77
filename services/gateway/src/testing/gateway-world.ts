import { createNotices, inMemoryBus, subjectFilters } from '@sluice/bus';
import type {
  CatalogQuestion,
  InferenceCall,
  InferencePort,
  InferenceReply,
} from '@sluice/inference-port';
import { KeyKind, type Key } from '@sluice/protos/sluice/key/v1/key';
import type { Logger, LogFields } from '@sluice/logging';
import { createTelemetry } from '@sluice/telemetry';
import type { FileCalls } from '@sluice/workspace-files';
import { inMemoryFiles } from '@sluice/workspace-files/testing';
import { createAccountCache } from '../accounts/account-cache.ts';
import { type Refusal, refusalLog } from '../audit/refusal-log.ts';
import { buildApp, type AppDependencies, type GatewayApp } from '../app.ts';
import type {
  AnalyticsCalls,
  ExportCalls,
  KeyCalls,
  ObserverCalls,
  SandboxCalls,
} from '../clients/calls.ts';
import { keyResolver } from '../keys/resolve-key.ts';
import { present } from '../clients/present.ts';
import { followKeyChanges } from '../keys/follow-key-changes.ts';
import { createPrincipalCache } from '../keys/principal-cache.ts';
import { defaultSettings, type GatewaySettings } from '../settings.ts';
import { inMemoryAccounts } from './in-memory-accounts.ts';
import { inMemoryLedger, organizationKind, personalKind } from './in-memory-books.ts';
import { inMemoryPolicies } from './in-memory-policies.ts';
import { inMemoryDestinations } from './in-memory-destinations.ts';
import { inMemoryByok } from './in-memory-byok.ts';
import { inMemoryEndUsers } from './in-memory-end-users.ts';
import { inMemoryPrivateEndpoints } from './in-memory-private-endpoints.ts';
import { inMemoryScim } from './in-memory-scim.ts';
import { inMemoryGuardrails } from './in-memory-guardrails.ts';
import { inMemoryIdempotency } from './in-memory-idempotency.ts';
import { inMemoryKeys } from './in-memory-keys.ts';
import { inMemoryWorkspaces } from './in-memory-workspaces.ts';
import { countingIds, manualClock } from './manual-clock.ts';

export const startedMs = Date.parse('2026-11-20T12:00:00.000Z');
export const organizationId = 'org_1';
export const personalId = 'user_2';
export const ownerUserId = 'user_1';
export const workspaceId = '11111111-1111-4111-8111-111111111111';
export const otherWorkspaceId = '22222222-2222-4222-8222-222222222222';

export interface WorldOptions {
  readonly settings?: Partial<GatewaySettings>;
  readonly createResponse?: (call: InferenceCall) => Promise<InferenceReply>;
  readonly readCatalog?: (question: CatalogQuestion) => Promise<InferenceReply>;
  readonly recordRefusal?: (refusal: Refusal) => Promise<void>;
  /** Stands between the gateway and the key service. */
  readonly wrapKeys?: (calls: KeyCalls) => KeyCalls;
  readonly sandbox?: SandboxCalls;
  readonly analytics?: AnalyticsCalls;
  readonly observer?: ObserverCalls;
  readonly exports?: ExportCalls;
  readonly files?: FileCalls;
}

export const jsonReply = (status: number, body: object): InferenceReply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const catalogReply: InferenceReply = {
  status: 200,
  body: Buffer.from(JSON.stringify({ data: [{ id: 'sim/echo' }] })),
  headers: { 'content-type': 'application/json', etag: '"v1"' },
};

/** A gateway with everything it talks to in memory; its clock stands until it is moved. */
export async function gatewayWorld(options: WorldOptions = {}) {
  const clock = manualClock(startedMs);
  const keys = inMemoryKeys(
    { [organizationId]: [workspaceId], [personalId]: [otherWorkspaceId] },
    clock,
  );
  const ledger = inMemoryLedger();
  const policies = inMemoryPolicies();
  const workspaces = inMemoryWorkspaces();
  const accounts = inMemoryAccounts([
    {
      accountId: organizationId,
      kind: organizationKind,
      ownerUserId,
      defaultWorkspaceId: workspaceId,
    },
    { accountId: personalId, kind: personalKind, ownerUserId: personalId },
  ]);
  const idempotency = inMemoryIdempotency();
  const scim = inMemoryScim(clock);
  const privateEndpoints = inMemoryPrivateEndpoints(organizationId, clock.now().toISOString());
  const refused: Refusal[] = [];
  const calls: InferenceCall[] = [];
  const questions: CatalogQuestion[] = [];
  const answer = options.createResponse ?? (async () => jsonReply(200, { id: 'resp_1' }));
  const inference: InferencePort = {
    createResponse(call) {
      calls.push(call);
      return answer(call);
    },
    async readCatalog(question) {
      questions.push(question);
      return await (options.readCatalog?.(question) ?? catalogReply);
    },
  };
  const bus = inMemoryBus();
  const logger = recordingLogger();
  const keyCalls = options.wrapKeys?.(keys.calls) ?? keys.calls;
  const notices = createNotices(bus, { anew: subjectFilters.historyChanged });
  const principals = createPrincipalCache({
    resolve: keyResolver(keyCalls),
    unsubscribedMs: () => notices.unsubscribedMs(),
    clock,
  });
  followKeyChanges(notices, principals);
  await notices.start(new AbortController().signal);
  const telemetry = createTelemetry({ serviceName: 'gateway', otlpEndpoint: undefined });
  const dependencies: AppDependencies = {
    keys: keyCalls,
    byok: inMemoryByok(clock, workspaceId),
    destinations: inMemoryDestinations(clock, workspaceId),
    observer: options.observer,
    policies: policies.calls,
    accounts: accounts.calls,
    endUsers: inMemoryEndUsers(clock),
    privateEndpoints: privateEndpoints.calls,
    accountCache: createAccountCache(async (accountId) => {
      const { account } = await accounts.calls.getAccount({ accountId });
      return present(account);
    }, clock),
    scim: scim.calls,
    guardrails: inMemoryGuardrails(clock),
    ledger: ledger.calls,
    idempotency: idempotency.calls,
    workspaces: workspaces.calls,
    files: options.files ?? inMemoryFiles(clock),
    analytics: options.analytics,
    exports: options.exports,
    sandbox: options.sandbox,
    refusals: refusalLog({
      record: options.recordRefusal ?? (async (refusal) => void refused.push(refusal)),
      telemetry,
      logger,
    }),
    inference,
    principals,
    clock,
    ids: countingIds(),
    logger,
    telemetry,
    settings: { ...defaultSettings, ...options.settings },
  };
  const built = buildApp(dependencies);
  await built.app.ready();
  const regular = (key: Partial<Key> = {}) => keys.add({ accountId: organizationId, ...key });
  const management = (key: Partial<Key> = {}) =>
    regular({ kind: KeyKind.KEY_KIND_MANAGEMENT, ...key });
  return {
    ...built,
    dependencies,
    request: requester(built),
    clock,
    keys,
    accounts,
    scim,
    privateEndpoints,
    ledger,
    policies,
    idempotency,
    workspaces,
    /** The refusals that the audit recorded. */
    refused,
    bus,
    calls,
    /** The questions about the catalog. */
    questions,
    logger,
    telemetry,
    regular,
    management,
  };
}

export type GatewayWorld = Awaited<ReturnType<typeof gatewayWorld>>;

export interface TestReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>;
  readonly text: string;
  // Each test asserts the parts that it reads.
  readonly json: Record<string, unknown>;
}

export interface TestRequest {
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, a text as it is. */
  readonly body?: object | string;
  readonly address?: string;
}

/** `request('GET /v1/keys', {key})` */
function requester({ app }: GatewayApp) {
  return async (
    line: string,
    { key, headers, body, address }: TestRequest = {},
  ): Promise<TestReply> => {
    const [method = '', url = ''] = line.split(' ');
    const reply = await app.inject({
      method: method as 'GET',
      url,
      ...(address === undefined ? {} : { remoteAddress: address }),
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const json =
      reply.body !== '' && reply.headers['content-type']?.includes('json') ? reply.json() : {};
    return { status: reply.statusCode, headers: reply.headers, text: reply.body, json };
  };
}

export interface RecordingLogger extends Logger {
  readonly lines: { readonly message: string; readonly fields: LogFields }[];
}

export function recordingLogger(): RecordingLogger {
  const lines: RecordingLogger['lines'] = [];
  const record = (message: string, fields: LogFields = {}) => void lines.push({ message, fields });
  return { lines, debug: record, info: record, warn: record, error: record };
}
