import { Fault, type ErrorCode } from '@sluice/errors';
import type { InferenceRequest, StreamPart } from '@sluice/inference';
import { withMandatoryThoughts } from '../choice/mandatory-thoughts.ts';
import { requestFor } from '../choice/parameters.ts';
import type { Plan, PlannedAttempt } from '../choice/plan.ts';
import { routingText } from '../choice/routing-text.ts';
import { availability } from '../choice/unavailable.ts';
import { AttemptWatch } from '../health/attempt-watch.ts';
import { endpointOf } from '../credentials/endpoint-of.ts';
import { termsOf } from '../spend/split-hold.ts';
import type { Beginning } from '../usage/outcome.ts';
import type { Intent } from '../usage/record.ts';
import type { Pipeline } from './deps.ts';
import { failedGeneration } from './failed-generation.ts';
import { TotalTimeout, type Generation } from './generation.ts';
import { callLimits } from './limits.ts';
import { isRefusal, nextAttempt } from './next-attempt.ts';
import { outputTokensMaxOf } from './worst-case.ts';

type Attempt = Beginning['attempts'][number];

/** An attempt that has given its first output: from here on it is this endpoint or none. */
export interface Started extends Opened {
  readonly beginning: Beginning;
}

interface Opened {
  readonly watch: AttemptWatch;
  readonly planned: PlannedAttempt;
  readonly intent: Intent;
  readonly first: readonly StreamPart[];
  readonly rest: AsyncIterator<readonly StreamPart[]>;
}

interface Failure {
  readonly planned: PlannedAttempt;
  readonly fault: Fault;
}

const attemptsMax = 10;
const nothing = { outputTokens: 0, reasoningTokens: 0 };

/**
 * Tries what is planned in order until one gives output. Each attempt's intent is on disk
 * before its upstream is called. Throws the Fault that the client sees, with the hold released; when the
 * client is gone, nothing is called any more.
 */
export async function firstOutput(pipeline: Pipeline, generation: Generation): Promise<Started> {
  const failures: Failure[] = [];
  const attempts: Attempt[] = [];
  try {
    pipeline.endpoints.retries.began();
    for (
      let next: number | undefined = 0;
      next !== undefined && attempts.length < attemptsMax;
      next = after(pipeline, generation, next, failures)
    ) {
      const planned = generation.attempts[next];
      if (!planned) break;
      // Whoever left while it waited has been served nothing, and shall not pay for it.
      if (generation.cancellation.isClientGone) throw new Fault('unavailable');
      const startedMs = performance.now();
      const result = await attempt(pipeline, generation, planned, {
        number: failures.length + 1,
        isLast: next + 1 >= generation.attempts.length,
      });
      const { provider } = planned.endpoint.endpoint;
      const errorCode = result instanceof Fault ? result.code : '';
      const isByok = planned.credential !== undefined;
      attempts.push({
        provider,
        endpointId: planned.endpoint.id,
        errorCode,
        latencyMs: BigInt(Math.round(performance.now() - startedMs)),
        isByok,
      });
      generation.tried.push({ provider, model: planned.model.id, errorCode, isByok });
      if (result instanceof Fault) {
        failures.push({ planned, fault: result });
        continue;
      }
      generation.cancellation.outputBegan();
      const latencyMs = sinceAdmission(pipeline, generation);
      return {
        watch: result.watch,
        planned,
        intent: result.intent,
        first: result.first,
        rest: result.rest,
        beginning: { latencyMs, attempts, routing: routingText(generation.plan) },
      };
    }
    throw faultOfAll(failures, generation.plan);
  } catch (error) {
    generation.cancellation.end();
    pipeline.spending.release(generation.held.hold);
    pipeline.failures.add(() => failedGeneration(pipeline, generation, attempts));
    throw error;
  }
}

/** Where to go on after a failure, if there is a second try left; undefined: nowhere. */
function after(
  { endpoints, metrics }: Pipeline,
  { attempts, cancellation }: Generation,
  place: number,
  failures: readonly Failure[],
): number | undefined {
  const fault = failures.at(-1)?.fault;
  if (!fault || cancellation.signal.aborted) return undefined;
  const isSecondRefusal = failures.filter((one) => isRefusal(one.fault.code)).length > 1;
  const next = nextAttempt(attempts, place, { fault, isSecondRefusal });
  if (next === undefined) return undefined;
  const isAllowed = endpoints.retries.take();
  metrics.routingRetries.add(1, { outcome: isAllowed ? 'made' : 'refused' });
  return isAllowed ? next : undefined;
}

async function attempt(
  pipeline: Pipeline,
  generation: Generation,
  planned: PlannedAttempt,
  { number, isLast }: { readonly number: number; readonly isLast: boolean },
): Promise<Opened | Fault> {
  const { journal, upstream, metrics, tracing, limits } = pipeline;
  const { call, cancellation, debugged } = generation;
  const { model } = planned;
  const found = endpointOf(pipeline, call.principal, planned);
  const endpoint = found instanceof Promise ? await found : found;
  if (endpoint instanceof Fault) return endpoint;
  const request = requestFor(planned.endpoint, askedOf(generation, planned));
  cancellation.reads(endpoint);
  const watch = new AttemptWatch(pipeline.endpoints.health, planned, request.stream);
  const intent = intentOf(generation, planned, { number, leaseEpoch: pipeline.replica.epoch });
  const written = journal.open(intent);
  if (pipeline.durability === 'strict') await written;
  // A spool that cannot be written ends the process.
  else written.catch(() => {});
  const attributes = {
    'gen_ai.provider.name': endpoint.provider,
    'gen_ai.request.model': model.id,
  };
  const span = tracing.start(`chat ${model.id}`, {
    kind: 'client',
    parent: call.traceparent,
    attributes,
  });
  const credential = planned.credential ? 'own' : 'platform';
  const startedMs = performance.now();
  try {
    const parts = upstream.call(endpoint, request, {
      ...callLimits(limits, model, {
        isStreamed: request.stream,
        patienceMs: isLast ? undefined : watch.patienceMs(),
      }),
      signal: cancellation.signal,
      requestId: call.requestId,
      attemptId: intent.usageId,
      onBody: debugged && ((body) => void debugged.push({ echo_upstream_body: body })),
      // An answer that is not streamed has its end with its name.
      onNamed: request.stream
        ? (upstreamId) => journal.progress(intent.usageId, { ...nothing, upstreamId })
        : undefined,
    });
    const rest = parts[Symbol.asyncIterator]();
    const { done, value: first } = await rest.next();
    if (done) throw new Fault('provider_unavailable');
    metrics.genAiTimeToFirstChunk.record((performance.now() - startedMs) / 1_000, attributes);
    watch.began();
    metrics.gatewayAttempts.add(1, { outcome: 'output', credential });
    span.end();
    return { planned, intent, first, rest, watch };
  } catch (error) {
    const fault = attemptFault(error);
    if (!cancellation.signal.aborted) watch.failed(fault.code);
    journal.release(intent);
    metrics.gatewayAttempts.add(1, { outcome: fault.code, credential });
    span.end(fault.code);
    return fault;
  }
}

function askedOf(generation: Generation, planned: PlannedAttempt): InferenceRequest {
  const asked = withMandatoryThoughts(planned.model, generation.request);
  const maxOutputTokens = outputTokensOf(generation, planned);
  return asked.maxOutputTokens === maxOutputTokens ? asked : { ...asked, maxOutputTokens };
}

/** What the hold pays for, as far as the model goes. */
function outputTokensOf({ request }: Generation, planned: PlannedAttempt): number | undefined {
  const max = Math.min(request.maxOutputTokens ?? Infinity, outputTokensMaxOf(planned));
  return max === Infinity ? undefined : max;
}

/** A clock that was set back meanwhile must not make it negative. */
function sinceAdmission({ clock }: Pipeline, { held }: Generation): number {
  return Math.max(0, clock.now().getTime() - held.hold.at.getTime());
}

function attemptFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  if (error instanceof TotalTimeout) return new Fault('timeout', { cause: error });
  return new Fault('unavailable', { cause: error });
}

function intentOf(
  generation: Generation,
  { model, endpoint, credential }: PlannedAttempt,
  { number, leaseEpoch }: { readonly number: number; readonly leaseEpoch: bigint },
): Intent {
  const { id, call, held, request, inputTokens, guardrailScopes, labels } = generation;
  const { accountId, workspaceId, keyHash } = call.principal;
  const { holdNanoUsd, leaseNumbers, byok } = termsOf(held, credential?.id);
  return {
    usageId: `${id}/${String(number)}/1`,
    generationId: id,
    requestId: call.requestId,
    accountId,
    workspaceId,
    keyHash,
    model: model.id,
    provider: endpoint.endpoint.provider,
    admittedAt: held.hold.at,
    streamed: request.stream,
    inputTokens,
    prices: endpoint.prices,
    holdNanoUsd,
    leaseEpoch,
    leaseNumbers,
    byok,
    guardrailScopes,
    labels: { ...labels, endpointId: endpoint.id },
  };
}

/** One endpoint: its own fault. Several: what they have in common, and each of them by name. */
function faultOfAll(failures: readonly Failure[], plan: Plan): Fault {
  const last = failures.at(-1)?.fault ?? new Fault('unavailable');
  // Who could not be asked about it says nothing of a request that somebody does not take.
  const refusal = failures.find(({ fault }) => isRefusal(fault.code))?.fault;
  if (refusal) return refusal;
  if (failures.length < 2 || !last.retryable) return last;
  const isRateLimited = failures.every(({ fault }) => fault.code === 'provider_rate_limited');
  const code: ErrorCode = isRateLimited ? 'provider_rate_limited' : 'unavailable';
  const waits = failures
    .map(({ fault }) => fault.retryAfterSeconds)
    .filter((seconds) => seconds !== undefined);
  const retryAfter = waits.length > 0 ? { retry_after: Math.min(...waits) } : {};
  const word = isRateLimited ? 'capacity_exhausted' : 'temporarily_unavailable';
  const providers = failures.map(({ planned }) => planned.endpoint.endpoint.provider);
  return new Fault(code, {
    metadata: {
      availability: availability(word, plan.requestedModels, {
        retryable: true,
        affected_providers: [...new Set(providers)],
        ...retryAfter,
      }),
      previous_errors: failures.map(({ planned, fault }) => ({
        provider: planned.endpoint.endpoint.provider,
        code: fault.metadata['provider_code'] ?? null,
        status: fault.code,
      })),
    },
    ...(waits.length > 0 ? { retryAfterSeconds: Math.min(...waits) } : {}),
    cause: last,
  });
}
