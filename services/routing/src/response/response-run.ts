import { isCodex } from '@sluice/client-errors';
import type { InputItem, ToolChoice } from '@sluice/inference';
import type { InferenceCall } from '@sluice/inference-port';
import type { AnswerHead, AnswerWriters, SentBody } from '../dialects/dialect.ts';
import type { CanonicalCall } from '../request/call.ts';
import { requestLabels } from '../request/request-labels.ts';
import { type Plan, planFrom, routedOf } from '../selection/plan.ts';
import type { Policy } from '../policy/policy.ts';
import type { Conversation } from '../sticky/conversation.ts';
import { Cancellation } from '../turn/cancellation.ts';
import type { TurnEnd } from '../turn/settle.ts';
import { estimateInputTokens } from '../turn/tokens.ts';
import type { TriedAttempt } from '../turn/tried-attempt.ts';
import type { TurnListener } from '../turn/turn-listener.ts';
import type { HeldTurn, Turn } from '../turn/turn.ts';
import type { Pipeline } from './deps.ts';
import type { ServiceMetadata } from '../request/service-metadata.ts';
import type { GuardrailDetection } from '../stages/stage.ts';
import type { ResponseStages } from './planning/open-response-stages.ts';
import type { ResponseListener } from './response-listener.ts';
import type { ResponseTurns } from './turn-loop.ts';
import { serviceMetadata } from './service-metadata.ts';

/** A request that may be answered: with what is known of its caller, and its endpoints are chosen. */
export interface Planned extends ResponseStages {
  readonly policy: Policy;
  readonly request: CanonicalCall;
  readonly writers: AnswerWriters;
  readonly plan: Plan;
  /** Sluice's own count of the input. */
  readonly inputTokens: number;
  readonly conversation: Conversation | undefined;
  /** Content that guardrails found in the request. */
  readonly detections: readonly GuardrailDetection[];
  /** Milliseconds that the moderation of the input took; undefined: it was not moderated. */
  readonly moderationLatencyMs: number | undefined;
}

/** A response in progress. */
export class ResponseRun implements ResponseTurns {
  readonly id: string;
  readonly call: InferenceCall;
  readonly planned: Planned;
  readonly cancellation: Cancellation;
  readonly #name: string;
  #turn: Turn;
  readonly #tried: TriedAttempt[] = [];
  readonly #sent: SentBody[] = [];
  #limits: Readonly<Record<string, string>> = {};
  #held: HeldTurn | undefined;

  constructor(pipeline: Pipeline, call: InferenceCall, planned: Planned) {
    const { request, policy, plan, inputTokens, conversation, detections } = planned;
    const { moderationLatencyMs } = planned;
    const { inference, safetyIdentifier } = request;
    // The client's name of its end user never leaves: the upstream gets a pseudonym of it, or of the account.
    const pseudonym = pipeline.pseudonyms.of(call.principal.accountId, safetyIdentifier);
    this.#name = pipeline.ids.next();
    this.id = `gen-${this.#name}`;
    this.call = call;
    this.planned = planned;
    this.cancellation = new Cancellation(pipeline, call.signal);
    this.#turn = {
      number: 1,
      firstPart: 0,
      generationId: this.id,
      call,
      policy,
      plan,
      request: { ...inference, options: { ...inference.options, ...pseudonym } },
      inputTokens,
      words: request.words,
      labels: requestLabels(call, request, {
        guardrailInvoked: detections.length > 0,
        moderationLatencyMs,
      }),
      conversation,
      cancellation: this.cancellation,
      onBody: request.echoesUpstreamBody ? (body) => void this.#sent.push(body) : undefined,
      onLimits: call.dialect === 'messages' ? (limits) => (this.#limits = limits) : undefined,
      tried: this.#tried,
      attemptStages: planned.attemptStages,
      outputs: planned.outputs,
    };
  }

  get turn(): Turn {
    return this.#turn;
  }

  next(
    { served, nextPart }: Pick<TurnEnd, 'served' | 'nextPart'>,
    items: readonly InputItem[],
    toolChoice: ToolChoice = this.#turn.request.toolChoice,
  ): Turn {
    const { number, plan, request: before } = this.#turn;
    const request = { ...before, items: [...before.items, ...items], toolChoice };
    this.#turn = {
      ...this.#turn,
      number: number + 1,
      firstPart: nextPart,
      plan: planFrom(plan, served),
      request,
      inputTokens: estimateInputTokens(request),
    };
    return this.#turn;
  }

  /** Returns what follows each turn of the response. From the first hold on, replies name the response. */
  follow(listener: ResponseListener): TurnListener {
    return {
      held: (turn) => {
        if (this.#held) return;
        this.#held = turn;
        listener.opened(turn);
      },
      began: ({ model }) => listener.servedBy(model.id),
      parts: (parts) => listener.parts(parts),
    };
  }

  get isHeld(): boolean {
    return this.#held !== undefined;
  }

  /** The headers that name the response and the limits at its provider; empty before its first turn is held. */
  get headers(): Readonly<Record<string, string>> {
    return this.#held ? { ...this.#limits, 'x-generation-id': this.id } : {};
  }

  /** Returns the head that names the model of the first attempt. Only after its first turn is held. */
  head(): AnswerHead {
    const held = this.#held;
    if (!held) throw new Error('invariant: a response begins after its first turn is held');
    const { request, first, isOpenEnded, dropsThinking } = held;
    const { maxOutputTokens } = request;
    return {
      name: this.#name,
      model: first.model.id,
      createdAt: Math.floor(held.held.hold.at.getTime() / 1_000),
      inputTokens: this.planned.inputTokens,
      ...(!isOpenEnded && maxOutputTokens !== undefined && { maxOutputTokens }),
      dropsThinking,
      ...(isCodex(this.call.client) && { isForCodex: true }),
    };
  }

  /** Takes the bodies that were sent to providers and not yet reported. */
  takeSent(): readonly SentBody[] {
    return this.#sent.splice(0);
  }

  /**
   * Returns how the response was routed so far. undefined: the client did not ask for it, and the answer was not given
   * a smaller limit than its model has.
   */
  metadata(): ServiceMetadata | undefined {
    const isLimited = this.#tried.at(-1)?.limit?.limitedBy !== undefined;
    if (!this.#held || (this.call.client?.wantsMetadata !== true && !isLimited)) return undefined;
    const elapsedMs = performance.now() - this.#held.startedMs;
    const routed = routedOf(this.planned.plan);
    const outputs = this.planned.outputs.flatMap((output) => output.report().reports);
    const attempted = this.#tried.at(-1)?.reports ?? [];
    const stages = [...(routed.stages ?? []), ...attempted, ...outputs];
    return serviceMetadata({ ...routed, stages }, this.#tried, elapsedMs);
  }
}
