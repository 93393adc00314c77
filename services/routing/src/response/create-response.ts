import { catalog, Fault, isRejection, type Rejection } from '@sluice/errors';
import {
  type ErrorContext,
  type InferenceCall,
  type InferenceReply,
  faultOf,
} from '@sluice/inference';
import { type EffectiveDemands, modelFamilies } from '@sluice/policy';
import { traceField } from '@sluice/telemetry';
import { choose } from '../selection/choose.ts';
import { type Plan, type Refused, routedOf } from '../selection/plan.ts';
import type { Preferences } from '../request/preferences.ts';
import { type PlanDemands, planWithCredentials } from '../selection/plan-with-credentials.ts';
import type { Credential } from '../credentials/credential.ts';
import { demandsOf } from '../policy/demands-of.ts';
import type { Policy, RequestDefaults } from '../policy/policy.ts';
import type { ServiceMetadata } from '../request/service-metadata.ts';
import { serviceMetadata } from './service-metadata.ts';
import type { ParsedCall, ScannedBody } from '../dialects/dialect.ts';
import { type Conversation, conversationOf } from '../sticky/conversation.ts';
import { checkCandidates } from './check-candidates.ts';
import { countInput } from './count-input.ts';
import type { Pipeline } from './deps.ts';
import { type Planned, ResponseRun } from './response-run.ts';
import { runResponse } from './run.ts';
import { detectedFact } from '../outcomes/detected-fact.ts';
import { leftOutReports, servedCall, warned } from './left-out.ts';
import { runStages } from '../stages/run-stages.ts';
import type { StageRefusal } from '../stages/stage.ts';
import type { CanonicalCall } from '../request/call.ts';
import { estimateContextTokens, estimateInputTokens } from '../turn/tokens.ts';

/**
 * Answers one request: reads the caller's settings, parses the request, chooses its endpoints and runs it. Never
 * throws: an error is a reply.
 */
export async function createResponse(
  pipeline: Pipeline,
  call: InferenceCall,
): Promise<InferenceReply> {
  const closed = pipeline.closedBecause();
  if (closed !== undefined) return refuse(pipeline, call, overloaded(closed));
  let response: ResponseRun | undefined;
  try {
    const body = await pipeline.dialects[call.dialect].scan(call.body);
    const ofCaller = await knownOf(pipeline, call);
    const planned = await plan(pipeline, call, { ...ofCaller, body });
    if (isRejection(planned)) {
      const metadata = 'routed' in planned ? untried(call, planned) : undefined;
      return refuse(pipeline, call, planned, metadata);
    }
    if ('reply' in planned) return planned.reply;
    response = new ResponseRun(pipeline, call, planned);
    const reply = await runResponse(pipeline, response);
    if (isRejection(reply)) return refuse(pipeline, call, reply, untried(call, planned.plan));
    return warned(reply, planned.request);
  } catch (error) {
    note(pipeline, call, error);
    if (!response?.isHeld) pipeline.outcomes.refused(call, faultOf(error).code);
    return named(pipeline.dialects[call.dialect].error(error, contextOf(call, response)), response);
  }
}

/** Answers a request that goes no further, and counts it for the bus. */
function refuse(
  { dialects, outcomes }: Pipeline,
  call: InferenceCall,
  problem: Rejection | Fault,
  metadata?: ServiceMetadata,
): InferenceReply {
  outcomes.refused(call, isRejection(problem) ? problem.rejected : problem.code);
  return dialects[call.dialect].error(problem, { metadata, client: call.client });
}

/** The settings of the caller. */
interface KnownOfCaller {
  readonly policy: Policy;
  readonly credentials: readonly Credential[];
}

async function knownOf(
  { policies, credentials }: Pipeline,
  { principal }: InferenceCall,
): Promise<KnownOfCaller> {
  const [policy, listed] = await Promise.all([
    policies.find(principal),
    credentials.find(principal),
  ]);
  return { policy, credentials: listed };
}

/** Returns the defaults of a request: a word in its headers stands before that of its account. */
function defaultsOf({ defaults }: Policy, { client }: InferenceCall): RequestDefaults {
  const asked = client?.unsupportedFeatures;
  return asked === undefined ? defaults : { ...defaults, unsupportedFeatures: asked };
}

/** A call that no endpoint generates for. */
interface Alone {
  readonly reply: InferenceReply;
}

/** Parses a request, runs its input stages, chooses its endpoints and checks the request for them. */
async function plan(
  pipeline: Pipeline,
  call: InferenceCall,
  { policy, credentials, body }: KnownOfCaller & { readonly body: ScannedBody },
): Promise<Planned | Alone | Refused | Rejection> {
  if (!policy.isWorkspaceAlive) return workspaceUnavailable;
  const parsed = body.parse(defaultsOf(policy, call));
  if (isRejection(parsed)) return parsed;
  const { tellCount } = pipeline.dialects[call.dialect];
  const planned = await planParsed(pipeline, call, { policy, credentials, parsed });
  if (!tellCount) return planned;
  const counted = await countInput(pipeline, call, parsed.call, planned);
  return isRejection(counted) ? counted : { reply: warned(tellCount(counted), parsed.call) };
}

async function planParsed(
  pipeline: Pipeline,
  call: InferenceCall,
  { policy, credentials, parsed }: KnownOfCaller & { readonly parsed: ParsedCall },
): Promise<Planned | Refused | Rejection> {
  const { tellCount, words, settingsAreWishes } = pipeline.dialects[call.dialect];
  const staged = await runStages(pipeline.stages, parsed.call.inference, { call, policy });
  const { detections = [] } = staged;
  const isBlocked = isRejection(staged);
  // The request that is counted now is reported when it is sent.
  if (detections.length > 0 && !tellCount)
    pipeline.outcomes.detected(() => detectedFact(call, detections, { isBlocked }));
  if (isRejection(staged)) return blocked(pipeline, parsed.call, policy, staged);
  const asked = { ...parsed.call, inference: staged.request, words, settingsAreWishes };
  const guardrails = demandsOf(policy);
  const inputTokens = estimateInputTokens(asked.inference);
  const sessionId = asked.sessionId ?? call.client?.sessionId;
  const conversation = conversationOf(sessionId, asked.inference);
  const chosen = choose(asked, {
    catalog: pipeline.catalog,
    guardrails,
    inputTokens,
    contextTokens: estimateContextTokens(asked.inference, inputTokens),
    now: () => pipeline.clock.now(),
    condition: (id) => pipeline.endpoints.health.condition(id),
    sticky: conversation && ((models) => stickyOf(pipeline, call, models, conversation)),
    session: conversation?.isNamed ? `${call.principal.accountId} ${conversation.key}` : undefined,
    random: pipeline.endpoints.random,
  });
  if (isRejection(chosen)) return chosen;
  const demands = planDemands(call, credentials, asked.preferences, guardrails);
  const found = planWithCredentials(chosen, demands);
  if (isRejection(found)) return { ...found, routed: { ...routedOf(chosen), attempts: [] } };
  const request = servedCall(asked, found);
  const reports = [...(found.stages ?? []), ...staged.reports, ...leftOutReports(request.leftOut)];
  const writers = parsed.writers(staged.rewrite, request.leftOut);
  const checked = await checkCandidates(pipeline.candidateStages, {
    plan: { ...found, stages: reports },
    request,
    context: { call, policy },
  });
  if (isRejection(checked)) return checked;
  const { outputs } = staged;
  const known = { policy, request, writers, inputTokens, conversation, detections, outputs };
  return { ...known, ...checked };
}

/** Returns the refusal of a stage with the endpoints that the request would have had. */
function blocked(
  pipeline: Pipeline,
  request: CanonicalCall,
  policy: Policy,
  { reports = [], detections: _detections, ...rejection }: StageRefusal,
): Refused {
  const chosen = chooseUnserved(pipeline, request, policy);
  const isKnown = !isRejection(chosen) || 'routed' in chosen;
  const routed = isKnown
    ? routedOf(chosen)
    : {
        requested: request.preferences.models[0] ?? '',
        strategy: 'direct' as const,
        askedFirst: [],
        attempts: [],
        candidates: [],
      };
  return { ...rejection, routed: { ...routed, stages: reports, isBlocked: true } };
}

/** Chooses the endpoints of a request that none of them gets. */
function chooseUnserved(
  { catalog: models, clock, endpoints }: Pipeline,
  request: CanonicalCall,
  policy: Policy,
): ReturnType<typeof choose> {
  return choose(request, {
    catalog: models,
    guardrails: demandsOf(policy),
    inputTokens: 0,
    now: () => clock.now(),
    condition: (id) => endpoints.health.condition(id),
    sticky: undefined,
    random: () => 0,
  });
}

/** Returns the demands on a plan. With zero retention, credentials of retaining providers are excluded. */
function planDemands(
  { principal }: InferenceCall,
  credentials: readonly Credential[],
  { mixesModels, allowsFallbacks, order, demandsZeroRetention }: Preferences,
  { zeroRetention }: EffectiveDemands,
): PlanDemands {
  return {
    credentials,
    principal,
    mixesModels,
    demandsZeroRetention:
      demandsZeroRetention || modelFamilies.some((family) => zeroRetention[family]),
    isFirstOnly: !allowsFallbacks && order === undefined,
  };
}

/** A response has a name for its client once its first turn is held. */
function contextOf({ client }: InferenceCall, response: ResponseRun | undefined): ErrorContext {
  const generationId = response?.isHeld ? response.id : undefined;
  return { metadata: response?.metadata(), generationId, client };
}

function named(reply: InferenceReply, response: ResponseRun | undefined): InferenceReply {
  return response ? { ...reply, headers: { ...reply.headers, ...response.headers } } : reply;
}

/** Returns the routing of a request that was refused after its endpoints were known. */
function untried({ client }: InferenceCall, outcome: Plan | Refused): ServiceMetadata | undefined {
  return client?.wantsMetadata ? serviceMetadata(routedOf(outcome), [], undefined) : undefined;
}

/** The endpoint that served the conversation before, of the first of the models that has one. */
function stickyOf(
  { endpoints }: Pipeline,
  { principal }: InferenceCall,
  models: readonly string[],
  conversation: Conversation,
): string | undefined {
  for (const model of models) {
    const found = endpoints.sticky.find(principal.accountId, model, conversation.key);
    if (found !== undefined) return found;
  }
  return undefined;
}

const workspaceUnavailable: Rejection = {
  rejected: 'workspace_unavailable',
  message: catalog.workspace_unavailable.message,
};

const overloadedRetrySeconds = 1;

function overloaded(reason: string): Fault {
  return new Fault('unavailable', {
    retryAfterSeconds: overloadedRetrySeconds,
    cause: new Error(reason),
  });
}

function note({ logger }: Pipeline, call: InferenceCall, error: unknown): void {
  const { code } = faultOf(error);
  const fields = { requestId: call.requestId, ...traceField(call.traceparent), code };
  if (code === 'internal') logger.error('a request broke', { ...fields, error });
  // An upstream's refusal may quote the request, which is for the client alone.
  else if (catalog[code].http < 500 || call.signal.aborted)
    logger.info('a request was refused', fields);
  else logger.warn('a request failed', { ...fields, error });
}
