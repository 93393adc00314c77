import { decodeEntry, type SpoolEntry } from '../usage/journal/record.ts';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inMemoryBus, type InMemoryBus } from '@sluice/bus';
import {
  type ClientApplication,
  type ClientDialectName,
  type InferenceReply,
  type Principal,
  wholeText,
} from '@sluice/inference-port';
import { UsageRecordedBundle } from '@sluice/protos/sluice/usage/v1/usage_events';
import { withRepeats } from '@sluice/usage-facts';
import { eventually as patiently } from '@sluice/patience';
import { createUpstream } from '@sluice/providers';
import { type Clock, systemClock, systemIds } from '@sluice/clock-and-ids';
import { createLogger, type Logger } from '@sluice/logging';
import type { McpClient } from '@sluice/mcp-client';
import type { Moderator } from '@sluice/moderation';
import { startSimulator, type Receipt, type Script, type Simulator } from '@sluice/simulator';
import { openSpool, type Spool } from '@sluice/spool';
import type { KeyManagement } from '@sluice/envelope';
import { createTelemetry, type Tracing } from '@sluice/telemetry';
import { readStream } from '@sluice/testing/response-stream';
import { checkedReply } from './checked-reply.ts';
import { loadCatalog } from '@sluice/catalog';
import { createService, type RoutingService } from '../compose/create-service.ts';
import type { FileParserSettings } from '../compose/file-parser-of.ts';
import { routersBySlug } from '../selection/routers/index.ts';
import type { Router } from '../selection/routers/router.ts';
import { createFileEngine } from '@sluice/file-engines';
import type { FileEngines } from '../stages/file-parser/read-with-engine.ts';
import type { Stage } from '../stages/stage.ts';
import type { TurnLoop } from '../response/turn-loop.ts';
import type { FileCalls } from '@sluice/workspace-files';
import type { Sandbox } from '../tools/sandbox/sandbox.ts';
import type { WebFetcher } from '@sluice/web-fetch';
import {
  createPageEngine,
  type PageEngines,
  createSearchEngine,
  createSearchEngines,
  type SearchEngines,
} from '@sluice/web-search';
import type { ToolLimits } from '../tools/limits.ts';
import type { ServerTool } from '../tools/tool.ts';
import type { Durability } from '../turn/deps.ts';
import type { Limits } from '../turn/limits.ts';
import type { ByokTerms } from '../byok/byok-terms.ts';
import { openReplica } from '../usage/journal/replica.ts';
import { inMemoryLedger, type InMemoryLedger } from './in-memory-ledger.ts';
import { inMemoryCredentials, type InMemoryCredentials } from './in-memory-credentials.ts';
import { createCheckedRoute, parseAllowList } from '@sluice/egress';
import {
  inMemoryPrivateEndpoints,
  type InMemoryPrivateEndpoints,
} from './in-memory-private-endpoints.ts';
import { inMemoryAccounts, type InMemoryAccounts } from './in-memory-accounts.ts';
import { inMemoryPolicies, type InMemoryPolicies } from './in-memory-policies.ts';
import type { AlignmentSettings } from '../compose/alignment-config.ts';

export const somebody: Principal = {
  accountId: 'account',
  workspaceId: 'workspace',
  keyHash: 'key',
  limitNanoUsd: null,
  limitReset: null,
  includeByokInLimit: false,
};

export interface CallOptions {
  readonly principal?: Principal;
  readonly signal?: AbortSignal;
  readonly client?: ClientApplication;
  /** The service itself may break in the middle of the stream. */
  readonly mayBreak?: boolean;
  /** A text that is done may replace that of its deltas. */
  readonly mayCorrect?: boolean;
  /** `responses` if absent. */
  readonly dialect?: ClientDialectName;
}

/** Routing on a real disk with a real upstream; bus, ledger and policies are in memory. */
export interface RoutingHarness {
  readonly bus: InMemoryBus;
  /** The usage ids of all facts that went out, as often as they did. */
  readonly published: readonly string[];
  readonly ledger: InMemoryLedger;
  readonly policies: InMemoryPolicies;
  readonly accounts: InMemoryAccounts;
  readonly credentials: InMemoryCredentials;
  readonly privateEndpoints: InMemoryPrivateEndpoints;
  readonly simulator: Simulator;
  readonly service: RoutingService;
  readonly spool: Spool;
  /** The file of the simulator's receipts. */
  readonly receiptsFile: string;
  /** Returns the bytes that answers in progress hold. */
  keptBytes(): number;
  call(body: object, options?: CallOptions): Promise<InferenceReply>;
  /** A body that may be no JSON. */
  callBytes(body: Uint8Array, options?: CallOptions): Promise<InferenceReply>;
  receipts(): Promise<readonly Receipt[]>;
  /** In the Prometheus text format. */
  metrics(): Promise<string>;
  /** Stops like kill -9: the process can write nothing more. */
  crash(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

const dollarNanoUsd = 1_000_000_000n;

export async function routingHarness(
  options: {
    readonly limits?: Partial<Limits>;
    readonly creditsNanoUsd?: bigint;
    readonly durability?: Durability;
    readonly byok?: ByokTerms;
    readonly stages?: readonly Stage[];
    readonly turnLoop?: TurnLoop;
    readonly tools?: readonly ServerTool[];
    readonly toolLimits?: Partial<ToolLimits>;
    readonly sandbox?: Sandbox;
    readonly files?: FileCalls;
    readonly webFetcher?: WebFetcher;
    readonly fileParser?: Partial<FileParserSettings>;
    /** Reads PDFs by the simulator's double of Mistral, with the platform's key. None if absent. */
    readonly hasOcr?: boolean;
    /** The simulated web when absent. */
    readonly searchEngines?: SearchEngines;
    /** Plays the model. */
    readonly script?: Script;
    readonly mcpClient?: McpClient;
    /** The model of `service:image_generation`. */
    readonly imageModel?: string;
    /** Seals contents for the observer. */
    readonly contentKeys?: KeyManagement;
    readonly routers?: readonly Router[];
    readonly moderator?: Moderator;
    readonly alignment?: Partial<AlignmentSettings>;
    /** Bounds the bytes of all answers in progress. */
    readonly keptBytesMax?: number;
    /** Shared with the replicas of other harnesses. */
    readonly ledger?: InMemoryLedger;
    readonly clock?: Clock;
    readonly logger?: Logger;
    /** Receives the spans. */
    readonly tracing?: Tracing;
    /** Waits before each write to the spool, or ends it. */
    readonly beforeWrite?: (type: SpoolEntry['type']) => Promise<void>;
    /** Waits after each write to the spool, as a slow disk does, or fails as its sync. */
    readonly afterWrite?: (type: SpoolEntry['type']) => Promise<void>;
    /** Returns the catalog file for the simulator's address. */
    readonly catalogFile?: (simulatorUrl: string) => string;
  } = {},
): Promise<RoutingHarness> {
  const folder = await mkdtemp(join(tmpdir(), 'routing-'));
  const receiptsFile = join(folder, 'receipts.jsonl');
  const { script } = options;
  const simulator = await startSimulator({
    host: '127.0.0.1',
    port: 0,
    receiptsFile,
    ...(script && { script }),
  });
  const { searchEngines = simulatedWeb(simulator) } = options;
  const bus = inMemoryBus();
  const published: string[] = [];
  const ledger = options.ledger ?? inMemoryLedger(options.creditsNanoUsd ?? 100n * dollarNanoUsd);
  const policies = inMemoryPolicies();
  const accounts = inMemoryAccounts();
  const credentials = inMemoryCredentials();
  const consuming = new AbortController();
  const consumed = ledger.consume(bus, consuming.signal);
  const telemetry = createTelemetry({ serviceName: 'routing', otlpEndpoint: undefined });
  const privateEndpoints = inMemoryPrivateEndpoints();
  const addresses = createCheckedRoute({ allowList: parseAllowList('127.0.0.1') });
  const upstream = createUpstream({
    connectPrivate: addresses.connect,
    ...(options.keptBytesMax !== undefined && { keptBytesMax: options.keptBytesMax }),
  });
  const catalog = loadCatalog({
    simulatorUrl: simulator.url,
    file: options.catalogFile?.(simulator.url),
    settings: () => undefined,
  });

  const callBytes: RoutingHarness['callBytes'] = async (
    body,
    {
      dialect = 'responses',
      principal = somebody,
      signal = new AbortController().signal,
      client,
      mayBreak = false,
      mayCorrect = false,
    } = {},
  ) =>
    checkedReply(
      dialect,
      await opened.service.inference.createResponse({
        dialect,
        principal,
        requestId: 'req-test',
        body,
        signal,
        ...(client ? { client } : {}),
      }),
      { isLeft: () => signal.aborted, mayBreak, mayCorrect },
    );

  let opened = await open();
  async function open(): Promise<{ service: RoutingService; spool: Spool }> {
    const spool = await openSpool({ directory: join(folder, 'spool'), onFatal: () => {} });
    const service = createService({
      catalog,
      upstream,
      spool: options.beforeWrite || options.afterWrite ? slowed(spool, options) : spool,
      replica: await openReplica(folder, systemIds),
      ledger,
      policies,
      credentials,
      endpointUse: privateEndpoints,
      addresses,
      accounts,
      bus: {
        ...bus,
        async publishFact(subject, id, message) {
          const stored = await bus.publishFact(subject, id, message);
          // Only bundles of usage facts come as bytes.
          if (!(message instanceof Uint8Array)) return stored;
          const json = Buffer.from(message).toString();
          const { facts } = UsageRecordedBundle.fromJSON(JSON.parse(json));
          for (const { usageId } of facts.flatMap(withRepeats)) published.push(usageId);
          return stored;
        },
      },
      clock: options.clock ?? systemClock,
      ids: systemIds,
      logger: options.logger ?? createLogger({ service: 'routing', level: 'silent' }),
      telemetry: options.tracing ? { ...telemetry, tracing: options.tracing } : telemetry,
      searchEngines,
      pageEngines: simulatedPages(simulator),
      ...(options.limits ? { limits: options.limits } : {}),
      ...(options.byok ? { byok: options.byok } : {}),
      ...(options.stages && { stages: options.stages }),
      ...(options.turnLoop && { turnLoop: options.turnLoop }),
      ...(options.tools && { tools: options.tools }),
      ...(options.toolLimits && { toolLimits: options.toolLimits }),
      ...(options.sandbox && { sandbox: options.sandbox }),
      ...(options.files && { files: options.files }),
      ...(options.webFetcher && { webFetcher: options.webFetcher }),
      ...(options.fileParser && { fileParser: options.fileParser }),
      fileEngines: simulatedOcr(simulator, options.hasOcr ?? false),
      ...(options.mcpClient && { mcpClient: options.mcpClient }),
      imageModel: options.imageModel,
      contentKeys: options.contentKeys,
      ...(options.alignment && { alignment: options.alignment }),
      ...(options.routers && { routers: routersBySlug(options.routers) }),
      ...(options.moderator && { moderator: options.moderator }),
      ...(options.durability ? { durability: options.durability } : {}),
    });
    await service.start();
    return { service, spool };
  }

  return {
    bus,
    published,
    ledger,
    policies,
    accounts,
    credentials,
    privateEndpoints,
    simulator,
    receiptsFile,
    get service() {
      return opened.service;
    },
    get spool() {
      return opened.spool;
    },
    call: (body, callOptions) => callBytes(Buffer.from(JSON.stringify(body)), callOptions),
    callBytes,
    keptBytes: () => upstream.keptBytes(),
    async receipts() {
      const text = await readFile(receiptsFile, 'utf8');
      const lines = text.split('\n').filter((line) => line !== '');
      return lines.map((line) => JSON.parse(line) as Receipt);
    },
    metrics: () => telemetry.prometheus(),
    crash: () => opened.spool.stop(),
    async start() {
      opened = await open();
    },
    async stop() {
      await opened.service.stop();
      await opened.spool.stop();
      await upstream.stop();
      consuming.abort();
      await consumed;
      await bus.stop();
      await telemetry.stop();
      await simulator.stop();
      await rm(folder, { recursive: true });
    },
  };
}

/** The platform has a key of Parallel alone. */
function simulatedPages({ url }: Simulator): PageEngines {
  const platforms = { reveal: () => 'platform-key-of-parallel' };
  return {
    names: ['parallel'],
    open: (name, ownKey) =>
      name !== 'parallel' && ownKey === undefined
        ? undefined
        : createPageEngine({
            name,
            key: ownKey ?? platforms,
            baseUrl: new URL(`/${name}`, url).href,
          }),
  };
}

function simulatedOcr({ url }: Simulator, isThere: boolean): FileEngines {
  const platforms = { reveal: () => 'platform-key-of-mistral' };
  return {
    names: isThere ? ['mistral-ocr'] : [],
    open: (name, ownKey) =>
      createFileEngine({ name, key: ownKey ?? platforms, baseUrl: new URL('/mistral', url).href }),
  };
}

function simulatedWeb({ url }: Simulator): SearchEngines {
  const baseUrl = new URL('/searxng', url).href;
  return createSearchEngines(
    [createSearchEngine({ name: 'simulator', baseUrl })],
    // The simulator speaks the API of each engine, below the engine's name.
    (name, key) => createSearchEngine({ name, key, baseUrl: new URL(`/${name}`, url).href }),
  );
}

interface SlowDisk {
  readonly beforeWrite?: (type: SpoolEntry['type']) => Promise<void>;
  readonly afterWrite?: (type: SpoolEntry['type']) => Promise<void>;
}

function slowed(spool: Spool, { beforeWrite, afterWrite }: SlowDisk): Spool {
  return {
    ...spool,
    async append(record, options) {
      const { type } = decodeEntry(record);
      await beforeWrite?.(type);
      const sequence = await spool.append(record, options);
      await afterWrite?.(type);
      return sequence;
    },
  };
}

/** Waits until something is found, and returns it. */
export async function eventually<Found>(
  find: () => Found | undefined | Promise<Found | undefined>,
  what: string,
): Promise<Found> {
  const look = async () => {
    const found = await find();
    if (found === undefined || found === false) throw new Error(`${what}: not found`);
    return found;
  };
  return await patiently(look, { everyMs: 2, sameLooksMax: 15_000 });
}

export function textOf({ body }: InferenceReply): Promise<string> {
  return wholeText(body);
}

export interface SeenEvent {
  readonly type: string;
  readonly delta?: string;
  readonly response?: SeenResponse;
}

export interface SeenResponse {
  readonly id: string;
  readonly status: string;
  readonly output_text: string;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly max_output_tokens: number | null;
  readonly usage: {
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly cost: number;
  } | null;
}

export async function responseOf(reply: InferenceReply): Promise<SeenResponse> {
  return JSON.parse(await textOf(reply)) as SeenResponse;
}

export interface SeenError {
  readonly error: {
    readonly code: number;
    readonly message: string;
    readonly availability?: Readonly<Record<string, unknown>>;
    readonly metadata: Readonly<Record<string, unknown>>;
  };
}

export async function errorOf(reply: InferenceReply): Promise<SeenError['error']> {
  return (JSON.parse(await textOf(reply)) as SeenError).error;
}

/** Returns the events of a stream that has ended, checked by all rules. */
export async function eventsOf(reply: InferenceReply): Promise<readonly SeenEvent[]> {
  return readStream(await textOf(reply));
}
