import { setTimeout as delay } from 'node:timers/promises';
import { type Bus, createNotices, subjectFilters } from '@sluice/bus';
import type { InferencePort } from '@sluice/inference-port';
import type { Upstream } from '@sluice/providers';
import type { Service } from '@sluice/boot';
import { type Clock, type Ids, steadyMsOf } from '@sluice/clock-and-ids';
import type { Logger } from '@sluice/logging';
import type { Moderator } from '@sluice/moderation';
import { createSpending, type Spending } from '@sluice/spend';
import type { RpcService } from '@sluice/rpc';
import type { KeyManagement } from '@sluice/envelope';
import { Refusals } from '@sluice/load-shedding';
import type { Spool } from '@sluice/spool';
import type { Telemetry } from '@sluice/telemetry';
import { createWorkerPool } from '@sluice/worker-pool';
import type { WebFetcher } from '@sluice/web-fetch';
import { createSearchEngines, type SearchEngines } from '@sluice/web-search';
import type { Catalog } from '@sluice/catalog';
import { askModel } from '../response/inner/ask-model.ts';
import { cachedLoop } from '../response/cache/cached-loop.ts';
import { ResponseCache } from '../response/cache/response-cache.ts';
import { createResponse } from '../response/create-response.ts';
import { Pseudonyms } from '../request/pseudonyms.ts';
import type { Pipeline } from '../response/deps.ts';
import type { TurnLoop } from '../response/turn-loop.ts';
import { FairSteps } from '../response/fair-steps.ts';
import { toolLoop } from '../response/tool-loop.ts';
import { createTools, type ToolOptions } from '../tools/index.ts';
import type { SandboxToolOptions } from '../tools/sandbox/options.ts';
import type { McpToolOptions } from '../tools/mcp/index.ts';
import { toolTable } from '../tools/tool-table.ts';
import { defaultToolLimits, type ToolLimits } from '../tools/limits.ts';
import type { ServerTool } from '../tools/tool.ts';
import { dialects } from '../dialects/index.ts';
import type { Stage } from '../stages/stage.ts';
import { createRecent } from '../stages/recent.ts';
import { stageTable } from '../stages/stage-table.ts';
import type { Routers } from '../selection/routers/index.ts';
import type { Durability, Endpoints } from '../turn/deps.ts';
import { Drains } from '../turn/drains.ts';
import { defaultLimits, type Limits } from '../turn/limits.ts';
import { Running } from '../turn/running.ts';
import type { CredentialCalls } from '../credentials/ask-credentials.ts';
import { CallerCatalogs } from '../private-endpoints/caller-catalogs.ts';
import type { EndpointAddresses } from '../private-endpoints/check-endpoint.ts';
import type { PrivateEndpointCalls } from '../private-endpoints/private-endpoints.ts';
import { sweepSecrets } from '../credentials/sweep-secrets.ts';
import { catalogRpc } from '../models/catalog-rpc.ts';
import { endpointCheckRpc } from '../models/endpoint-check-rpc.ts';
import { createListing } from '../models/create-listing.ts';
import { ownModels } from '../models/own-models.ts';
import { listedRouters } from '../models/router-rows.ts';
import { providersOf } from '../models/provider-view.ts';
import { type AlignmentDeps, openAlignment } from './open-alignment.ts';
import type { PolicyCalls } from '../policy/ask-policy.ts';
import { type ByokTerms, usualByokTerms } from '../byok/byok-terms.ts';
import { keepLeases } from '../admission/keep-leases.ts';
import { ledgerAuthority } from '../admission/ledger-authority.ts';
import type { LedgerCalls } from '../clients/ledger-calls.ts';
import { ModelShares, type ModelSharesOptions } from '../clients/model-shares.ts';
import { EndpointHealth } from '../health/endpoint-health.ts';
import { RetryBudget } from '../health/retry-budget.ts';
import { StickyEndpoints } from '../sticky/sticky-endpoints.ts';
import { OutcomeFacts, publishOutcomes } from '../outcomes/outcome-facts.ts';
import { ToObserver } from '../outcomes/to-observer.ts';
import type { Replica } from '../usage/journal/replica.ts';
import { type ClosedReason, closedReasons } from '../usage/outbox/admission.ts';
import { keepUsage, type UsageKeeping } from '../usage/usage-keeping.ts';
import { type FileParserDeps, fileParserOf } from './file-parser-of.ts';
import { followSettings } from './follow-settings.ts';
import { observe } from './observe.ts';
import { knownAnswers } from './known-answers.ts';
import { stagesOf } from './stages-of.ts';

export interface RoutingDeps
  extends
    McpToolOptions,
    SandboxToolOptions,
    Pick<FileParserDeps, 'fileParser' | 'fileEngines'>,
    Pick<ToolOptions, 'imageModel' | 'pageEngines'>,
    Pick<AlignmentDeps, 'accounts' | 'alignment'> {
  readonly catalog: Catalog;
  readonly upstream: Pick<Upstream, 'call' | 'countInput' | 'lookUp'>;
  /** Opened by the caller, who stops it after the service. */
  readonly spool: Pick<Spool, 'append' | 'hurry' | 'read' | 'release' | 'bytes' | 'diskUsed'>;
  readonly replica: Replica;
  readonly ledger: LedgerCalls;
  readonly policies: PolicyCalls;
  readonly credentials: CredentialCalls;
  /** Absent: no organization has private endpoints. */
  readonly endpointUse?: PrivateEndpointCalls;
  /** The addresses that private endpoints may have. None when absent. */
  readonly addresses?: EndpointAddresses;
  /** 25,000 USD of list price are free in a month, and 5 % of the rest, when absent. */
  readonly byok?: ByokTerms;
  readonly bus: Pick<
    Bus,
    | 'publishFact'
    | 'ensureStream'
    | 'holdsFact'
    | 'subscribe'
    | 'onReconnect'
    | 'isConnected'
    | 'readNotices'
  >;
  /** Seals contents of generations for the observer. Absent: none leave. */
  readonly contentKeys?: KeyManagement | undefined;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly telemetry: Pick<Telemetry, 'metrics' | 'tracing' | 'observe'>;
  /** Replaces single defaults. */
  readonly limits?: Partial<Limits>;
  /** Bounds the age of the last answer about a policy or a credential that is used while there is no newer one. */
  readonly lastKnownMsMax?: number;
  /** `strict` when absent. */
  readonly durability?: Durability;
  /** All stages, in their order. Those of `stages/index.ts` when absent. */
  readonly stages?: readonly Stage[];
  /** `toolLoop` when absent. */
  readonly turnLoop?: TurnLoop;
  /** All server tools. Those of `tools/index.ts` when absent. */
  readonly tools?: readonly ServerTool[];
  readonly toolLimits?: Partial<ToolLimits>;
  /** Opened by the caller, who stops it after the service. No page can be fetched when absent. */
  readonly webFetcher?: WebFetcher;
  readonly searchEngines?: SearchEngines;
  /** If absent, the routers of `selection/routers/index.ts` are used. */
  readonly routers?: Routers;
  /** Judges the input of requests. Our own rules when absent. */
  readonly moderator?: Moderator;
  /** From 0 to below 1: which endpoint is tried first. `Math.random` when absent. */
  readonly random?: () => number;
}

export interface RoutingService extends Service {
  readonly inference: InferencePort;
  readonly rpc: readonly RpcService[];
}

/** At a stop, generations may go on for so long; then they are cancelled and billed as they are. */
const stopGraceMs = 3_000;
/** Time limit for the return of leases at a stop; after it the next run returns them. */
const giveBackMs = 1_000;

/** Verdicts of judges that a replica keeps. */
const verdictsMax = 1_000;

/** The inference pipeline with its spending, usage journal and publisher. */
export function createService(deps: RoutingDeps): RoutingService {
  const { replica, ledger, bus, clock, logger, telemetry } = deps;
  const { searchEngines = createSearchEngines([]) } = deps;
  const authority = ledgerAuthority(ledger, replica, telemetry.metrics);
  const spending = createSpending({ authority, nowMs: steadyMsOf(clock) });
  const notices = createNotices(bus, { anew: subjectFilters.historyChanged });
  const known = knownAnswers(deps, notices);
  const usage = keepUsage({ ...deps, lookup: deps.upstream });
  const outcomes = outcomesOf(deps);
  const toObserver = new ToObserver(deps);
  const pool = createWorkerPool();
  const fileParser = fileParserOf(deps);
  const { evaluator, alignment } = openAlignment(deps);
  const running = new Running();
  const background = new AbortController();
  let keeping: Promise<void> | undefined;
  let publishing: Promise<void> | undefined;
  const pipeline: Pipeline = {
    ...deps,
    dialects,
    stages: stageTable(
      deps.stages ?? stagesOf({ ...deps, searchEngines, pool, fileParser, evaluator }),
    ),
    tools: toolTable(deps.tools ?? createTools({ ...deps, searchEngines })),
    ...loopsOf(deps),
    askModel: (asker, asking) => askModel(pipeline, asker, asking),
    spending,
    ...known,
    alignment,
    ...memories(deps),
    byok: deps.byok ?? usualByokTerms,
    endpoints: endpointsOf(deps),
    journal: usage.journal,
    failures: usage.failures,
    outcomes,
    ...toObserver.senders,
    running,
    drains: new Drains(),
    metrics: telemetry.metrics,
    tracing: telemetry.tracing,
    limits: { ...defaultLimits, ...deps.limits },
    durability: deps.durability ?? 'overlap',
    ...doorOf(usage, deps),
  };

  return {
    name: 'routing',
    inference: inferenceOf(pipeline, usage),
    rpc: [catalogRpc(deps.catalog), endpointCheckRpc({ addresses: noAddresses, ...deps })],
    async start() {
      await usage.start();
      observe(telemetry, { spending, ...known, health: pipeline.endpoints.health });
      keeping = keepLeases({ spending, bus, logger, signal: background.signal });
      publishing = publishOutcomes({ outcomes, bus, logger, signal: background.signal });
      void sweepSecrets(known.credentials, background.signal);
      followSettings(notices, known, background.signal);
      void notices.start(background.signal);
    },
    async stop() {
      usage.close();
      await running.settle(stopGraceMs);
      background.abort();
      const stops = [usage.stop(), pool.stop(), fileParser.stop(), toObserver.stop()];
      await Promise.allSettled([keeping, publishing, ...stops]);
      await giveBackLeases(spending, logger);
    },
    unreadiness: () => sentencesOf(usage.closedBecause()),
    degradation: () => [],
  };
}

const doorOf = (
  usage: Pick<UsageKeeping, 'closedBecause'>,
  { logger, telemetry }: Pick<RoutingDeps, 'logger' | 'telemetry'>,
): Pick<Pipeline, 'closedBecause' | 'refusals'> => ({
  closedBecause: () => usage.closedBecause(),
  refusals: new Refusals({ logger, counter: telemetry.metrics.routingRefusals }),
});

const sentencesOf = (closed: ClosedReason | undefined) =>
  closed === undefined ? [] : [closedReasons[closed]];

function loopsOf({ turnLoop, toolLimits: given }: RoutingDeps) {
  const [responseCache, fairSteps] = [new ResponseCache(), new FairSteps()];
  const toolLimits = { ...defaultToolLimits, ...given };
  const loop = cachedLoop(turnLoop ?? toolLoop(toolLimits, fairSteps), responseCache);
  return { fairSteps, responseCache, toolLimits, turnLoop: loop };
}

const noAddresses: EndpointAddresses = { problemOf: () => 'must be left out here' };

/** Waits for the return of leases, but not for long. */
async function giveBackLeases(spending: Spending, logger: Logger): Promise<void> {
  const given = spending
    .stop()
    .catch((error: unknown) => logger.warn('leases could not be given back', { error }));
  await Promise.race([given, delay(giveBackMs, undefined, { ref: false })]);
}

function outcomesOf(deps: RoutingDeps): OutcomeFacts {
  const { outcomesDropped } = deps.telemetry.metrics;
  return new OutcomeFacts({ ...deps, onDropped: () => outcomesDropped.add(1) });
}

function inferenceOf(
  pipeline: Pipeline,
  usage: Pick<UsageKeeping, 'startsPerMsMax'>,
): InferencePort {
  const { catalog, clock, endpoints, policies, credentials } = pipeline;
  const listing = createListing({
    routers: listedRouters,
    catalog,
    policies,
    credentials,
    ownModels: ownModels(pipeline),
    providers: () => providersOf(catalog.listed, catalog.providers),
    now: () => clock.now(),
    statistics: (id) => endpoints.health.statistics(id),
  });
  return {
    createResponse: (call) => createResponse(pipeline, call),
    readCatalog: (question) => listing.read(question),
    startsPerMsMax: () => usage.startsPerMsMax(),
  };
}

/** Returns the memories of a replica. */
function memories(
  options: ModelSharesOptions,
): Pick<Pipeline, 'pseudonyms' | 'verdicts' | 'shares' | 'callerCatalogs'> {
  return {
    callerCatalogs: new CallerCatalogs(),
    pseudonyms: new Pseudonyms(),
    verdicts: createRecent(verdictsMax),
    shares: new ModelShares(options),
  };
}

function endpointsOf({ clock, telemetry, random = Math.random }: RoutingDeps): Endpoints {
  const nowMs = steadyMsOf(clock);
  const { routingEjections, routingProbes } = telemetry.metrics;
  const health = new EndpointHealth(nowMs, {
    ejected: () => routingEjections.add(1),
    probed: () => routingProbes.add(1),
  });
  const retries = new RetryBudget(nowMs);
  return { health, retries, sticky: new StickyEndpoints(nowMs), random };
}
