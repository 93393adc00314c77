import type { InferenceCall, InferenceRequest, ModelOptions } from '@sluice/inference';
import { dropsThinking, type Endpoint } from '@sluice/providers';
import { type Plan, type PlannedAttempt, routedOf } from '../selection/plan.ts';
import type { Policy } from '../policy/policy.ts';
import type { ResponsesRequest } from '../request/call.ts';
import type { DebugTold } from '../dialects/responses/event.ts';
import type { ServiceMetadata } from '../request/service-metadata.ts';
import { serviceMetadata } from '../response/service-metadata.ts';
import type { TriedAttempt } from './tried-attempt.ts';
import type { ResponseHead } from '../dialects/responses/response-object.ts';
import { guardrailScopesOf } from '../admission/budgets-of.ts';
import type { HeldWorst } from '../admission/hold-worst.ts';
import type { Admission } from '../admission/admission.ts';
import type { Pipeline } from './deps.ts';
import type { InputMeasure, InputMedia } from '../admission/input-bound.ts';
import type { Drains } from './drains.ts';
import type { Running, Stoppable } from './running.ts';
import { askedOf } from '../admission/output-limit.ts';
import { AttemptSignal } from './attempt-signal.ts';
import { type RequestLabels, requestLabels } from '../request/request-labels.ts';
import type { Conversation } from '../sticky/conversation.ts';

/** One admitted request, from its hold to its usage fact. */
export interface Generation {
  /** `gen-…` */
  readonly id: string;
  readonly call: InferenceCall;
  readonly plan: Plan;
  /** With the limit that the hold pays for, whatever model it goes to. */
  readonly request: InferenceRequest;
  /** The client named no output limit. */
  readonly isOpenEnded: boolean;
  readonly held: HeldWorst;
  /** Those of the plan that the hold pays for. */
  readonly attempts: readonly PlannedAttempt[];
  readonly guardrailScopes: readonly string[];
  /** Our own count. */
  readonly inputTokens: number;
  /** Pictures of the input: some endpoints have a price for each. */
  readonly inputImages: number;
  readonly inputMedia: InputMedia;
  readonly conversation: Conversation | undefined;
  readonly labels: RequestLabels;
  /** Names the first model that is tried. */
  readonly head: ResponseHead;
  readonly itemId: (prefix: string, index: number) => string;
  readonly cancellation: Cancellation;
  readonly startedMs: number;
  /** Grows with each attempt. */
  readonly tried: TriedAttempt[];
  /** What was sent to providers and is not told yet; undefined: nobody wants to know. */
  readonly debugged: DebugTold[] | undefined;
}

/** What the response repeats of thoughts that were asked for and cannot be had. */
const noThoughts = { effort: 'none', summary: null };

export function beginGeneration(
  pipeline: Pipeline,
  call: InferenceCall,
  { request, plan, policy, admission, input, inputTokens, conversation }: BeginOptions,
): Generation {
  const tail = pipeline.ids.next();
  const { held, attempts, outputTokensMax } = admission;
  const isOpenEnded = request.inference.maxOutputTokens === undefined;
  const sent = {
    ...request.inference,
    maxOutputTokens: outputTokensMax === Infinity ? undefined : outputTokensMax,
    options: pseudonymous(pipeline, call, request),
  };
  const first = attempts[0] ?? plan.attempts[0];
  const isThoughtless =
    sent.options.reasoning !== undefined &&
    dropsThinking(
      first.endpoint.endpoint,
      askedOf({ request: sent, isOpenEnded, inputTokens }, first),
    );
  return {
    id: `gen-${tail}`,
    call,
    plan,
    request: sent,
    isOpenEnded,
    held,
    attempts,
    guardrailScopes: guardrailScopesOf(policy),
    inputTokens,
    conversation,
    inputImages: input.imagesMax,
    inputMedia: input,
    labels: requestLabels(call, request),
    head: {
      id: `resp_${tail}`,
      model: first.model.id,
      createdAt: Math.floor(held.hold.at.getTime() / 1_000),
      echo:
        isOpenEnded && !isThoughtless
          ? request.echo
          : {
              ...request.echo,
              ...(!isOpenEnded && { max_output_tokens: outputTokensMax }),
              ...(isThoughtless && { reasoning: noThoughts }),
            },
      tellsEncrypted: request.inference.options?.includesEncryptedReasoning ?? false,
    },
    itemId: (prefix, index) => `${prefix}_${tail}_${String(index)}`,
    cancellation: new Cancellation(pipeline, call.signal, {
      isStreamed: request.inference.stream,
    }),
    startedMs: performance.now(),
    tried: [],
    debugged: request.echoesUpstreamBody ? [] : undefined,
  };
}

/** What a client calls its end user never leaves: the upstream gets a pseudonym of it, or of the account. */
function pseudonymous(
  { pseudonyms }: Pick<Pipeline, 'pseudonyms'>,
  { principal }: InferenceCall,
  { inference, safetyIdentifier }: ResponsesRequest,
): ModelOptions {
  const who = pseudonyms.of(principal.accountId, safetyIdentifier);
  return { ...inference.options, ...who };
}

/** The header that names it in every reply. */
export function nameOf({ id }: Generation): { readonly 'x-generation-id': string } {
  return { 'x-generation-id': id };
}

/** What was sent to providers and is told now. */
export function untold({ debugged }: Generation): readonly DebugTold[] {
  return debugged?.splice(0) ?? [];
}

/**
 * Returns how it was routed so far. undefined: the client did not ask for it, and the answer was not given a
 * smaller limit than its model has.
 */
export function metadataOf({
  call,
  plan,
  tried,
  startedMs,
}: Generation): ServiceMetadata | undefined {
  const isLimited = tried.at(-1)?.limit?.limitedBy !== undefined;
  if (call.client?.wantsMetadata !== true && !isLimited) return undefined;
  return serviceMetadata(routedOf(plan), tried, performance.now() - startedMs);
}

interface BeginOptions {
  readonly request: ResponsesRequest;
  readonly plan: Plan;
  readonly policy: Policy;
  readonly admission: Admission;
  readonly input: InputMeasure & InputMedia;
  readonly inputTokens: number;
  readonly conversation: Conversation | undefined;
}

/**
 * When the upstream of a generation is cancelled: when the client has left a stream, at once where the provider
 * stops at that, and otherwise only after a long time, since it goes on and charges all of it; when the service stops;
 * when there is no output for too long. An answer that is not streamed is read to its end.
 */
export class Cancellation implements Stoppable {
  readonly signal = new AttemptSignal();
  readonly #clientSignal: AbortSignal;
  readonly #running: Running;
  readonly #drainMs: number | undefined;
  readonly #drains: Drains;
  #drained: (() => void) | undefined;
  #total: NodeJS.Timeout | undefined;
  #drain: NodeJS.Timeout | undefined;
  #isClientGone = false;
  #stopsWhenClosed = false;
  #isOver = false;

  constructor(
    { limits, running, drains }: Pick<Pipeline, 'limits' | 'running' | 'drains'>,
    clientSignal: AbortSignal,
    { isStreamed }: { readonly isStreamed: boolean },
  ) {
    this.#clientSignal = clientSignal;
    this.#running = running;
    this.#drainMs = isStreamed ? limits.drainMs : undefined;
    this.#drains = drains;
    this.#total = setTimeout(
      () => this.signal.abort(new TotalTimeout('no output in time')),
      limits.totalTimeoutMs,
    );
    running.join(this);
    // An answer that is not streamed is read to its end: it is enough to look whether the client is still there.
    if (!isStreamed) return;
    if (clientSignal.aborted) this.clientLeft();
    else clientSignal.addEventListener('abort', this.clientLeft, { once: true });
  }

  get isClientGone(): boolean {
    return this.#isClientGone || (!this.#isOver && this.#clientSignal.aborted);
  }

  /** From here on only the stream's own clocks count. */
  outputBegan(): void {
    clearTimeout(this.#total);
  }

  readonly clientLeft = (): void => {
    if (this.#isClientGone) return;
    this.#isClientGone = true;
    this.#cancel();
  };

  /** Whose answer is read from now on. */
  reads({ cancelsStreams = false }: Pick<Endpoint, 'cancelsStreams'>): void {
    this.#stopsWhenClosed = cancelsStreams;
    if (this.#isClientGone) this.#cancel();
  }

  /** Everything was read: lets go of timers and listeners. */
  end(): void {
    this.#isClientGone = this.isClientGone;
    this.#isOver = true;
    clearTimeout(this.#total);
    clearTimeout(this.#drain);
    this.#drained?.();
    this.#running.leave(this);
    if (this.#drainMs !== undefined)
      this.#clientSignal.removeEventListener('abort', this.clientLeft);
  }

  #cancel(): void {
    if (this.#drainMs === undefined || this.#isOver) return;
    const abort = () => this.signal.abort(new Error('the client has left'));
    if (this.#stopsWhenClosed) return abort();
    this.#drain ??= setTimeout(abort, this.#drainMs);
    this.#drained ??= this.#drains.add(abort);
  }

  stop(reason: Error): void {
    this.signal.abort(reason);
  }
}

/** Our own limit fired, not one of a single attempt. */
export class TotalTimeout extends Error {
  override readonly name = 'TotalTimeout';
}
