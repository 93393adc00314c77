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
import type { TurnDeps } from './deps.ts';
import { TotalTimeout } from './cancellation.ts';
import type { HeldTurn } from './turn.ts';
import { guardrailScopesOf } from '../admission/budgets-of.ts';
import { callLimits } from './limits.ts';
import { askedOf } from '../admission/output-limit.ts';
import { settleFailed } from './settle-failed.ts';
import { startUpstreamSpan } from './upstream-span.ts';

interface Place {
  /** From 1: how many there are with it. */
  readonly number: number;
  /** True if no other attempt could follow. */
  readonly isLast: boolean;
}

const rateLimitedStatus = 429;
const nothing = { outputTokens: 0, reasoningTokens: 0 };

/**
 * Begins an attempt: its intent is being written, and its upstream not called yet. Returns a Fault if the secret of
 * an own credential cannot be had.
 */
export function beginTrial(
  deps: TurnDeps,
  turn: HeldTurn,
  planned: PlannedAttempt,
  place: Place,
): Trial | Promise<Trial | Fault> {
  const found = endpointOf(deps, turn.call.principal, planned);
  const begin = (endpoint: Endpoint) => new Trial(deps, turn, { planned, endpoint, place });
  if (!(found instanceof Promise)) return begin(found);
  return found.then((endpoint) => (endpoint instanceof Fault ? endpoint : begin(endpoint)));
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
  /** Resolves when the provider may be called. Rejects if the spool cannot be written. */
  readonly mayCall: Promise<void>;
  /** Resolves when the intent is on disk. Rejects if it cannot be kept. */
  readonly durable: Promise<void>;
  readonly #deps: TurnDeps;
  readonly #turn: HeldTurn;
  readonly #endpoint: Endpoint;
  readonly #request: InferenceRequest;
  readonly #isLast: boolean;
  readonly #record = new CallRecord();
  #span: ActiveSpan | undefined;
  #startedMs = 0;

  constructor(
    deps: TurnDeps,
    turn: HeldTurn,
    { planned, endpoint, place: { number, isLast } }: Chosen,
  ) {
    this.#deps = deps;
    this.#turn = turn;
    this.#endpoint = endpoint;
    this.#isLast = isLast;
    this.planned = planned;
    this.#request = requestFor(planned.endpoint, askedOf(turn, planned));
    turn.cancellation.reads(endpoint);
    this.watch = new AttemptWatch(deps.endpoints.health, planned, this.#request.stream);
    const leaseEpoch = deps.replica.epoch;
    this.intent = intentOf(turn, planned, { number, leaseEpoch });
    const isStrict = deps.durability === 'strict';
    const { written, durable } = deps.journal.open(this.intent, { canWait: !isStrict });
    this.mayCall = isStrict ? durable : written;
    this.durable = durable;
  }

  /** Begins the sync of the intent, and resolves as `durable` does: anything that the provider said may leave. */
  mayTell(): Promise<void> {
    this.#deps.journal.hurry(this.intent);
    return this.durable;
  }

  /** Calls the upstream, once. Aborts the call if its intent cannot be kept. */
  call(): AsyncIterator<readonly StreamPart[]> {
    const { journal, upstream, tracing, limits, metrics } = this.#deps;
    const { call, cancellation, onBody, onLimits } = this.#turn;
    const { model } = this.planned;
    const request = this.#request;
    this.durable.catch((error: Error) => cancellation.stop(error));
    this.#span = startUpstreamSpan(tracing, { call, request, intent: this.intent });
    this.#startedMs = performance.now();
    const { provider } = this.#endpoint;
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
      anthropicBetas: call.client?.anthropicBetas,
      answerBytesMax: answerBytesMax(request, this.planned.endpoint),
      onBody,
      onLimits:
        onLimits && ((status, limits) => onLimits(this.#mayTellLimits(status) ? limits : {})),
      onStray: () => metrics.answersStrayEvents.add(1, { 'gen_ai.provider.name': provider }),
      // An answer that is not streamed has its end with its name.
      onNamed: request.stream
        ? (upstreamId) => journal.progress(usageId, { ...nothing, upstreamId })
        : undefined,
    });
    return parts[Symbol.asyncIterator]();
  }

  /** Records the first output of the attempt. */
  began(): void {
    const { metrics } = this.#deps;
    const elapsedMs = performance.now() - this.#startedMs;
    metrics.genAiTimeToFirstChunk.record(elapsedMs / 1_000, this.#attributes());
    this.watch.began();
    metrics.gatewayAttempts.add(1, { outcome: 'output', credential: this.#credential });
    if (this.#request.stream)
      this.#span?.set(() => ({ 'gen_ai.response.time_to_first_chunk': elapsedMs / 1_000 }));
  }

  /** The span of a call that was made. The end of its answer ends it. */
  get span(): ActiveSpan | undefined {
    return this.#span;
  }

  /** Records the failure of the attempt. */
  failed(error: unknown): Fault {
    const { metrics } = this.#deps;
    const fault = faultOf(error);
    if (!this.#turn.cancellation.signal.aborted) this.watch.failed(fault.code);
    metrics.gatewayAttempts.add(1, { outcome: fault.code, credential: this.#credential });
    this.#span?.end(fault.code);
    return fault;
  }

  /** Settles a failed attempt in the spool: no provider was called, or one that may charge for the call. */
  book(fault: Fault, beginning: Beginning): void {
    const { journal } = this.#deps;
    if (this.#record.mayBeBilled)
      settleFailed(this.#deps, this.#turn, {
        planned: this.planned,
        intent: this.intent,
        record: this.#record,
        fault,
        beginning,
      });
    else journal.release(this.intent);
  }

  /**
   * The limits of an own credential are those of its account. The limits of the platform's account are sent only if
   * they refuse a request.
   */
  #mayTellLimits(status: number): boolean {
    return this.planned.credential !== undefined || status === rateLimitedStatus;
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
  turn: HeldTurn,
  planned: PlannedAttempt,
  { number, leaseEpoch }: { readonly number: number; readonly leaseEpoch: bigint },
): Intent {
  const { model, endpoint } = planned;
  const { generationId, call, policy, held, request, inputTokens, labels } = turn;
  const { dataDiscountBasisPoints } = turn;
  const { dataRegion } = endpoint;
  const { accountId, workspaceId, keyHash } = call.principal;
  const { holdNanoUsd, leaseNumbers, freeRequestLeaseNumbers, byok } = termsOf(held, planned);
  return {
    usageId: usageIdOf(turn, number),
    generationId,
    requestId: call.requestId,
    traceparent: call.traceparent,
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
    dataDiscountBasisPoints: byok ? undefined : dataDiscountBasisPoints,
    isPrivate: endpoint.endpoint.isPrivate ? true : undefined,
    guardrailScopes: guardrailScopesOf(policy),
    labels: {
      ...labels,
      endpointId: endpoint.id,
      dataRegion: dataRegion === 'global' ? undefined : dataRegion,
    },
  };
}

/** `<generation>/<attempt>/<turn>`: one model call of one response at one endpoint. */
function usageIdOf(
  { generationId, usagePrefix = generationId, number: turn }: HeldTurn,
  attempt: number,
): string {
  return `${usagePrefix}/${String(attempt)}/${String(turn)}`;
}
