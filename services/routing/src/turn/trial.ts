import { Fault } from '@sluice/errors';
import type { InferenceRequest, StreamPart } from '@sluice/inference';
import type { Endpoint } from '@sluice/providers';
import type { ActiveSpan } from '@sluice/telemetry';
import { requestFor } from '../selection/parameters.ts';
import type { PlannedAttempt } from '../selection/plan.ts';
import { endpointOf } from './endpoint-of.ts';
import { AttemptWatch } from '../health/attempt-watch.ts';
import { termsOf } from '../admission/split-hold.ts';
import type { Beginning } from '../usage/journal/outcome.ts';
import type { Intent } from '../usage/journal/record.ts';
import { CallRecord } from './call-record.ts';
import { answerBytesMax } from '../admission/answer-bound.ts';
import type { Pipeline } from './deps.ts';
import { type Generation, TotalTimeout } from './generation.ts';
import { callLimits } from './limits.ts';
import { askedOf } from '../admission/output-limit.ts';
import { settleFailed } from './settle-failed.ts';

interface Place {
  /** From 1: how many there are with it. */
  readonly number: number;
  /** Nobody else could be asked. */
  readonly isLast: boolean;
}

const nothing = { outputTokens: 0, reasoningTokens: 0 };

/**
 * Begins an attempt: its intent is being written, and its upstream not called yet. A Fault where it cannot be
 * made; waits for nobody but for the secret of an own credential.
 */
export function beginTrial(
  pipeline: Pipeline,
  generation: Generation,
  planned: PlannedAttempt,
  place: Place,
): Trial | Fault | Promise<Trial | Fault> {
  const found = endpointOf(pipeline, generation.call.principal, planned);
  const trialAt = (endpoint: Endpoint | Fault): Trial | Fault =>
    endpoint instanceof Fault
      ? endpoint
      : new Trial(pipeline, generation, { planned, endpoint, place });
  return found instanceof Promise ? found.then(trialAt) : trialAt(found);
}

interface Chosen {
  readonly planned: PlannedAttempt;
  readonly endpoint: Endpoint;
  readonly place: Place;
}

/** One attempt, from its intent to its first output or its failure. */
export class Trial {
  readonly planned: PlannedAttempt;
  readonly intent: Intent;
  readonly watch: AttemptWatch;
  /** Resolves when the intent is on disk: the upstream may be called. */
  readonly written: Promise<void>;
  readonly #pipeline: Pipeline;
  readonly #generation: Generation;
  readonly #endpoint: Endpoint;
  readonly #request: InferenceRequest;
  readonly #isLast: boolean;
  readonly #record = new CallRecord();
  #span: ActiveSpan | undefined;
  #startedMs = 0;

  constructor(
    pipeline: Pipeline,
    generation: Generation,
    { planned, endpoint, place: { number, isLast } }: Chosen,
  ) {
    this.#pipeline = pipeline;
    this.#generation = generation;
    this.#endpoint = endpoint;
    this.#isLast = isLast;
    this.planned = planned;
    this.#request = requestFor(planned.endpoint, askedOf(generation, planned));
    generation.cancellation.reads(endpoint);
    this.watch = new AttemptWatch(pipeline.endpoints.health, planned, this.#request.stream);
    const leaseEpoch = pipeline.replica.epoch;
    this.intent = intentOf(generation, planned, { number, leaseEpoch });
    this.written = pipeline.journal.open(this.intent);
  }

  /** Calls the upstream, once. */
  call(): AsyncIterator<readonly StreamPart[]> {
    const { journal, upstream, tracing, limits } = this.#pipeline;
    const { call, cancellation, debugged } = this.#generation;
    const { model } = this.planned;
    this.#span = tracing.start(`chat ${model.id}`, {
      kind: 'client',
      parent: call.traceparent,
      attributes: this.#attributes(),
    });
    this.#startedMs = performance.now();
    const request = this.#request;
    const { usageId } = this.intent;
    const parts = upstream.call(this.#endpoint, request, {
      ...callLimits(limits, model, {
        isStreamed: request.stream,
        patienceMs: this.#isLast ? undefined : this.watch.patienceMs(),
      }),
      signal: cancellation.signal,
      requestId: call.requestId,
      attemptId: usageId,
      progress: this.#record,
      anthropicBetas: this.#generation.call.client?.anthropicBetas,
      answerBytesMax: answerBytesMax(request, this.planned.endpoint),
      onBody: debugged && ((body) => void debugged.push({ echo_upstream_body: body })),
      // An answer that is not streamed has its end with its name.
      onNamed: request.stream
        ? (upstreamId) => journal.progress(usageId, { ...nothing, upstreamId })
        : undefined,
    });
    return parts[Symbol.asyncIterator]();
  }

  /** There is output. */
  began(): void {
    const { metrics } = this.#pipeline;
    const elapsedMs = performance.now() - this.#startedMs;
    metrics.genAiTimeToFirstChunk.record(elapsedMs / 1_000, this.#attributes());
    this.watch.began();
    metrics.gatewayAttempts.add(1, { outcome: 'output', credential: this.#credential });
    this.#span?.end();
  }

  /** It was of no use. */
  failed(error: unknown): Fault {
    const { metrics } = this.#pipeline;
    const fault = faultOf(error);
    if (!this.#generation.cancellation.signal.aborted) this.watch.failed(fault.code);
    metrics.gatewayAttempts.add(1, { outcome: fault.code, credential: this.#credential });
    this.#span?.end(fault.code);
    return fault;
  }

  /** Writes down what became of a failed attempt: nobody was asked, or somebody who may charge for it. */
  book(fault: Fault, beginning: Beginning): void {
    const { journal } = this.#pipeline;
    const mayBeBilled = this.#record.mayBeBilled({ isStreamed: this.#request.stream });
    if (mayBeBilled)
      settleFailed(this.#pipeline, this.#generation, {
        planned: this.planned,
        intent: this.intent,
        record: this.#record,
        fault,
        beginning,
      });
    else journal.release(this.intent);
  }

  get #credential(): 'own' | 'platform' {
    return this.planned.credential ? 'own' : 'platform';
  }

  #attributes(): Record<'gen_ai.provider.name' | 'gen_ai.request.model', string> {
    return {
      'gen_ai.provider.name': this.#endpoint.provider,
      'gen_ai.request.model': this.planned.model.id,
    };
  }
}

function faultOf(error: unknown): Fault {
  if (error instanceof Fault) return error;
  if (error instanceof TotalTimeout) return new Fault('timeout', { cause: error });
  return new Fault('unavailable', { cause: error });
}

function intentOf(
  generation: Generation,
  planned: PlannedAttempt,
  { number, leaseEpoch }: { readonly number: number; readonly leaseEpoch: bigint },
): Intent {
  const { model, endpoint } = planned;
  const { id, call, held, request, inputTokens, guardrailScopes, labels } = generation;
  const { accountId, workspaceId, keyHash } = call.principal;
  const { holdNanoUsd, leaseNumbers, freeRequestLeaseNumbers, byok } = termsOf(held, planned);
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
    freeRequestLeaseNumbers,
    byok,
    guardrailScopes,
    labels: { ...labels, endpointId: endpoint.id },
  };
}
