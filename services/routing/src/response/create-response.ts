import { catalog, Fault, isRejection, type Rejection } from '@sluice/errors';
import { type InferenceCall, type InferenceReply, errorReply, faultOf } from '@sluice/inference';
import { type EffectiveDemands, modelFamilies } from '@sluice/policy';
import { budgetedOutputTokensMin } from '@sluice/providers';
import { choose } from '../selection/choose.ts';
import { type Plan, type Refused, routedOf } from '../selection/plan.ts';
import type { Preferences } from '../request/preferences.ts';
import { type PlanDemands, planWithCredentials } from '../selection/plan-with-credentials.ts';
import type { Credential } from '../credentials/credential.ts';
import { demandsOf } from '../policy/demands-of.ts';
import type { Policy } from '../policy/policy.ts';
import type { ServiceMetadata } from '../request/service-metadata.ts';
import { serviceMetadata } from './service-metadata.ts';
import { scanBody, scanTurnBytes } from '../dialects/responses/json-body.ts';
import type { JsonShape } from '../dialects/responses/json-shape.ts';
import { parseResponsesRequest } from '../dialects/responses/parse-request.ts';
import type { ResponsesRequest } from '../request/call.ts';
import { type Conversation, conversationOf } from '../sticky/conversation.ts';
import type { Asked } from '../admission/admission.ts';
import { admit } from '../admission/admit.ts';
import type { Pipeline } from '../turn/deps.ts';
import { beginGeneration, type Generation, metadataOf, nameOf } from '../turn/generation.ts';
import { type InputMeasure, type InputMedia, inputMeasure } from '../admission/input-bound.ts';
import { streamReply } from './stream-reply.ts';
import { estimateInputTokens } from '../turn/tokens.ts';
import { wholeReply } from './whole-reply.ts';

/**
 * The story of one request: learn what holds for it, understand it, choose whom to try, hold its worst case,
 * run it, and account for what was served before its end is told. Never throws: an error is a reply.
 */
export async function createResponse(
  pipeline: Pipeline,
  call: InferenceCall,
): Promise<InferenceReply> {
  const closed = pipeline.closedBecause();
  if (closed !== undefined) return refuse(pipeline, call, overloaded(closed));
  let generation: Generation | undefined;
  try {
    const { body } = call;
    const shape = body.byteLength > scanTurnBytes ? await scanBody(body) : undefined;
    const known = knownOf(pipeline, call);
    const ofCaller = known instanceof Promise ? await known : known;
    const understood = understand(pipeline, call, { ...ofCaller, shape });
    if (isRejection(understood)) {
      const metadata = 'routed' in understood ? untried(call, understood) : undefined;
      return refuse(pipeline, call, understood, metadata);
    }
    const admitted = admit(pipeline, askedOf(call, understood));
    // Mostly there is nobody to be waited for until the intent is on its way to the disk.
    const admission = admitted instanceof Promise ? await admitted : admitted;
    if (isRejection(admission))
      return refuse(pipeline, call, admission, untried(call, understood.plan));
    generation = beginGeneration(pipeline, call, { ...understood, admission });
    const reply = await (understood.request.inference.stream
      ? streamReply(pipeline, generation)
      : pipeline.running.track(wholeReply(pipeline, generation)));
    return warned(reply, understood.request.warning);
  } catch (error) {
    note(pipeline, call, error);
    if (!generation) pipeline.outcomes.refused(call, faultOf(error).code);
    return named(errorReply(error, generation && metadataOf(generation)), generation);
  }
}

/** Answers a request that goes no further, and counts it for the bus. */
function refuse(
  { outcomes }: Pipeline,
  call: InferenceCall,
  problem: Rejection | Fault,
  metadata?: ServiceMetadata,
): InferenceReply {
  outcomes.refused(call, isRejection(problem) ? problem.rejected : problem.code);
  return errorReply(problem, metadata);
}

/** What holds for whoever calls. */
interface KnownOfCaller {
  readonly policy: Policy;
  readonly credentials: readonly Credential[];
}

function knownOf(
  { policies, credentials }: Pipeline,
  { principal }: InferenceCall,
): KnownOfCaller | Promise<KnownOfCaller> {
  const policy = policies.find(principal);
  const listed = credentials.find(principal);
  return policy instanceof Promise || listed instanceof Promise
    ? Promise.all([policy, listed]).then(([found, all]) => ({ policy: found, credentials: all }))
    : { policy, credentials: listed };
}

/** A request, and whom to try for it. */
interface Understood extends KnownOfCaller {
  readonly request: ResponsesRequest;
  readonly plan: Plan;
  readonly input: InputMeasure & InputMedia;
  /** Our own count. */
  readonly inputTokens: number;
  readonly conversation: Conversation | undefined;
}

/** Waits for nobody. A rejection where there is nothing to be done. */
function understand(
  pipeline: Pipeline,
  call: InferenceCall,
  { policy, credentials, shape }: KnownOfCaller & { readonly shape: JsonShape | undefined },
): Understood | Refused | Rejection {
  if (!policy.isWorkspaceAlive) return workspaceUnavailable;
  const request = parseResponsesRequest(call.body, policy.defaults, shape);
  if (isRejection(request)) return request;
  const guardrails = demandsOf(policy);
  const inputTokens = estimateInputTokens(request.inference);
  const conversation = conversationOf(
    request.sessionId ?? call.client?.sessionId,
    request.inference,
  );
  const chosen = choose(request, {
    catalog: pipeline.catalog,
    guardrails,
    inputTokens,
    now: () => pipeline.clock.now(),
    condition: (id) => pipeline.endpoints.health.condition(id),
    sticky: conversation && ((models) => stickyOf(pipeline, call, models, conversation)),
    session: conversation?.isNamed ? `${call.principal.accountId} ${conversation.key}` : undefined,
    random: pipeline.endpoints.random,
  });
  if (isRejection(chosen)) return chosen;
  const demands = planDemands(call, credentials, request.preferences, guardrails);
  const plan = planWithCredentials(chosen, demands);
  if (isRejection(plan)) return { ...plan, routed: { ...routedOf(chosen), attempts: [] } };
  const input = inputMeasure(request.inference);
  return { policy, credentials, request, plan, input, inputTokens, conversation };
}

function askedOf(
  { principal }: InferenceCall,
  { policy, plan, input, request }: Understood,
): Asked {
  return {
    principal,
    policy,
    attempts: plan.attempts,
    input,
    outputTokensMax: request.inference.maxOutputTokens,
    thinkingTokensMin: thinkingTokensMin(plan, request),
  };
}

function thinkingTokensMin({ attempts }: Plan, { inference }: ResponsesRequest): number {
  if (inference.options?.reasoning?.tokensMax === undefined) return 0;
  return Math.max(
    ...attempts.map(({ endpoint }) => budgetedOutputTokensMin(endpoint.endpoint, inference)),
  );
}

/** A credential that keeps what its owner's provider keeps is none where nothing may be kept. */
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

/** Says which fields of the body had no effect. */
function warned(reply: InferenceReply, warning: string | undefined): InferenceReply {
  if (warning === undefined) return reply;
  return { ...reply, headers: { ...reply.headers, 'x-service-warnings': warning } };
}

function named(reply: InferenceReply, generation: Generation | undefined): InferenceReply {
  if (!generation) return reply;
  return { ...reply, headers: { ...reply.headers, ...nameOf(generation) } };
}

/** Of a request that was refused when it was clear whom it would have gone to. */
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
  const { requestId } = call;
  const { code } = faultOf(error);
  if (code === 'internal') logger.error('a request broke', { requestId, code, error });
  // What an upstream says against a request may quote it, which is for the client alone.
  else if (catalog[code].http < 500 || call.signal.aborted)
    logger.info('a request was refused', { requestId, code });
  else logger.warn('a request failed', { requestId, code, error });
}
