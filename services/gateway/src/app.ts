import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { InferencePort } from '@sluice/inference-port';
import type { Clock, Ids } from '@sluice/clock-and-ids';
import type { Logger } from '@sluice/logging';
import type { Telemetry } from '@sluice/telemetry';
import fastify, { type FastifyRequest } from 'fastify';
import type { AccountCache } from './accounts/account-cache.ts';
import type { RefusalLog } from './audit/refusal-log.ts';
import type { App } from './http/app-types.ts';
import { clientErrorHandler, OpenAnswers } from './http/server/client-error.ts';
import { createLoadShedding, type LoadShedding } from './http/server/load-shedding.ts';
import { parseJsonBody } from './http/request/json-body.ts';
import { lateCompilers, validation } from './http/server/late-compilers.ts';
import { authenticate } from './http/plugins/authenticate.ts';
import { bodyBudget } from './http/plugins/body-budget.ts';
import { crossOrigin } from './http/plugins/cross-origin.ts';
import { decodeBody } from './http/plugins/decode-body.ts';
import { description } from './openapi/description.ts';
import { errors, sendError } from './http/plugins/errors.ts';
import { guard } from './http/plugins/guard.ts';
import { httpRules } from './http/plugins/http-rules.ts';
import { idempotency } from './http/plugins/idempotency.ts';
import { knownQuery } from './http/plugins/known-query.ts';
import { rateLimit } from './http/plugins/rate-limit.ts';
import { type ListedRoute, routeList } from './http/plugins/route-list.ts';
import { refusals } from './http/plugins/refusals.ts';
import { requestId, requestIdHeader } from './http/plugins/request-id.ts';
import { safeHeaders } from './http/plugins/safe-headers.ts';
import { telemetry } from './http/plugins/telemetry.ts';
import { publicServer } from './http/server/public-server.ts';
import { servedUrl } from './http/server/served-url.ts';
import { requestIdOf } from './http/request/request-id.ts';
import { activityRoutes } from './resources/activity/routes.ts';
import { exportRoutes } from './resources/analytics/export-routes.ts';
import { analyticsRoutes } from './resources/analytics/routes.ts';
import { byokRoutes } from './resources/byok/routes.ts';
import { deliveryRoutes } from './resources/destinations/delivery-routes.ts';
import { destinationsRoutes } from './resources/destinations/routes.ts';
import { containersRoutes } from './resources/containers/routes.ts';
import { creditsRoutes } from './resources/credits/routes.ts';
import { chatCompletionsRoutes } from './resources/chat-completions/routes.ts';
import { currentKeyRoutes } from './resources/current-key/routes.ts';
import { scimRoutes } from './resources/scim/routes.ts';
import { privateEndpointsRoutes } from './resources/private-endpoints/routes.ts';
import { endUsersRoutes } from './resources/end-users/routes.ts';
import { filesRoutes } from './resources/files/routes.ts';
import { generationRoutes } from './resources/generation/routes.ts';
import { guardrailAssignmentsRoutes } from './resources/guardrails/assignment-routes.ts';
import { guardrailsRoutes } from './resources/guardrails/routes.ts';
import { keysRoutes } from './resources/keys/routes.ts';
import { catalogRoutes } from './resources/models/catalog-routes.ts';
import { messagesRoutes } from './resources/messages/routes.ts';
import { modelsRoutes } from './resources/models/routes.ts';
import { organizationRoutes } from './resources/organization/routes.ts';
import { proofRoutes } from './resources/proof/routes.ts';
import { referenceRoutes } from './resources/reference/routes.ts';
import { embeddingsRoutes } from './resources/embeddings/routes.ts';
import { rerankRoutes } from './resources/rerank/routes.ts';
import { modelAliasesRoutes } from './resources/model-aliases/routes.ts';
import { presetsRoutes } from './resources/presets/routes.ts';
import { responsesRoutes } from './resources/responses/routes.ts';
import { workspaceBudgetsRoutes } from './resources/workspaces/budget-routes.ts';
import { workspaceMembersRoutes } from './resources/workspaces/member-routes.ts';
import { workspacesRoutes } from './resources/workspaces/routes.ts';
import type { PrincipalCache } from './keys/principal-cache.ts';
import type { RpcCalls } from './rpc-calls.ts';
import type { GatewaySettings } from './settings.ts';

export interface AppDependencies extends Omit<RpcCalls, 'audit' | 'standings'> {
  readonly refusals: RefusalLog;
  readonly inference: InferencePort;
  readonly principals: PrincipalCache;
  readonly accountCache: AccountCache;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly telemetry: Pick<Telemetry, 'metrics' | 'tracing'>;
  readonly settings: GatewaySettings;
}

export interface GatewayApp {
  readonly app: App;
  /** Every route that can be reached, with whom it serves and what it answers. */
  readonly routes: readonly ListedRoute[];
  readonly loadShedding: Pick<LoadShedding, 'waiting'>;
}

/** The whole public HTTP side, without a socket. The order of the hooks is the order of the checks. */
export function buildApp(dependencies: AppDependencies): GatewayApp {
  const { settings, principals, clock } = dependencies;
  const inferencePaths = new Set<string>();
  const loadShedding = createLoadShedding({ ...dependencies, inferencePaths });
  const app = emptyApp(dependencies, loadShedding);
  app.addHook('onRoute', ({ config, url }) => {
    if (config?.auth === 'inference') inferencePaths.add(url);
  });
  errors(app, dependencies);
  requestId(app);
  safeHeaders(app);
  telemetry(app, dependencies);
  crossOrigin(app, settings);
  httpRules(app, inferencePaths);
  const { authFailuresPerMinute } = settings;
  authenticate(app, { principals, clock, authFailuresPerMinute });
  const routes = routeList(app);
  guard(app, dependencies);
  rateLimit(app, { clock, settings });
  decodeBody(app, bodyBudget(app, dependencies));
  idempotency(app, dependencies);
  refusals(app, dependencies);
  jsonBodies(app);
  knownQuery(app);

  const describe = description(app, routes);
  // After what describes them.
  app.register(async (later) => {
    referenceRoutes(later, { describe });
    resourceRoutes(later, dependencies);
  });
  return { app, routes, loadShedding };
}

function resourceRoutes(app: App, dependencies: AppDependencies): void {
  responsesRoutes(app, dependencies);
  embeddingsRoutes(app, dependencies);
  rerankRoutes(app, dependencies);
  chatCompletionsRoutes(app, dependencies);
  messagesRoutes(app, dependencies);
  modelsRoutes(app, dependencies);
  catalogRoutes(app, dependencies);
  keysRoutes(app, dependencies);
  currentKeyRoutes(app, dependencies);
  byokRoutes(app, dependencies);
  destinationsRoutes(app, dependencies);
  deliveryRoutes(app, dependencies);
  creditsRoutes(app, dependencies);
  activityRoutes(app, dependencies);
  analyticsRoutes(app, dependencies);
  exportRoutes(app, dependencies);
  generationRoutes(app, dependencies);
  filesRoutes(app, dependencies);
  containersRoutes(app, dependencies);
  proofRoutes(app, dependencies);
  organizationRoutes(app, dependencies);
  endUsersRoutes(app, dependencies);
  privateEndpointsRoutes(app, dependencies);
  scimRoutes(app, dependencies);
  workspacesRoutes(app, dependencies);
  workspaceMembersRoutes(app, dependencies);
  workspaceBudgetsRoutes(app, dependencies);
  presetsRoutes(app, dependencies);
  modelAliasesRoutes(app, dependencies);
  guardrailsRoutes(app, dependencies);
  guardrailAssignmentsRoutes(app, dependencies);
}

/** 256 characters of 4 bytes, each written as `%xx`. */
const pathParameterLengthMax = 256 * 4 * 3;

function emptyApp({ settings, ids, logger }: AppDependencies, loadShedding: LoadShedding): App {
  const answers = new OpenAnswers();
  const app = fastify({
    serverFactory(serve) {
      const server = publicServer(settings, loadShedding.guard(serve));
      answers.watch(server);
      return server;
    },
    rewriteUrl: ({ url = '' }) => servedUrl(url),
    bodyLimit: settings.managementBodyBytesMax,
    trustProxy: settings.trustedProxies.length === 0 ? false : [...settings.trustedProxies],
    requestIdHeader: false,
    genReqId: () => requestIdOf(ids),
    exposeHeadRoutes: true,
    return503OnClosing: false,
    schemaController: { compilersFactory: lateCompilers },
    routerOptions: { maxParamLength: pathParameterLengthMax },
    ajv: { customOptions: validation },
    clientErrorHandler: clientErrorHandler({ answers, ids, logger }),
    frameworkErrors: (error, request, reply) => {
      reply.header(requestIdHeader, request.id);
      sendError(error, request, reply, logger);
    },
  }).withTypeProvider<TypeBoxTypeProvider>();
  return app;
}

/** JSON is the only content type. An empty body is none: some clients announce JSON on a DELETE. */
function jsonBodies(app: App): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, jsonBody);
}

function jsonBody(
  request: FastifyRequest,
  body: Buffer,
  done: (error: Error | null, parsed?: unknown) => void,
): void {
  if (request.route.config.body === 'raw') return done(null, body);
  let parsed: unknown;
  try {
    parsed = body.length === 0 ? undefined : parseJsonBody(body);
  } catch (error) {
    return done(error as Error);
  }
  done(null, parsed);
}
