import type { InferenceCall } from '@sluice/inference';
import type { DebugTold } from '../dialects/responses/event.ts';
import type { ResponseHead } from '../dialects/responses/response-object.ts';
import type { ResponsesRequest } from '../request/call.ts';
import { requestLabels } from '../request/request-labels.ts';
import { type Plan, routedOf } from '../selection/plan.ts';
import type { Policy } from '../policy/policy.ts';
import type { Conversation } from '../sticky/conversation.ts';
import { Cancellation } from '../turn/cancellation.ts';
import type { TriedAttempt } from '../turn/tried-attempt.ts';
import type { HeldTurn, Turn } from '../turn/turn.ts';
import type { Pipeline } from './deps.ts';
import type { ServiceMetadata } from '../request/service-metadata.ts';
import { serviceMetadata } from './service-metadata.ts';

/** A request that may be answered: with what is known of its caller, and its endpoints are chosen. */
export interface Planned {
  readonly policy: Policy;
  readonly request: ResponsesRequest;
  readonly plan: Plan;
  /** Sluice's own count of the input. */
  readonly inputTokens: number;
  readonly conversation: Conversation | undefined;
}

/** The response repeats this for thoughts that were asked for and cannot be had. */
const noThoughts = { effort: 'none', summary: null };

/** A response in progress. */
export class ResponseRun {
  readonly id: string;
  readonly call: InferenceCall;
  readonly planned: Planned;
  readonly cancellation: Cancellation;
  readonly #tail: string;
  readonly #turn: Omit<Turn, 'number'>;
  readonly #tried: TriedAttempt[] = [];
  readonly #debugged: DebugTold[] = [];
  #held: HeldTurn | undefined;

  constructor(pipeline: Pipeline, call: InferenceCall, planned: Planned) {
    const { request, policy, plan, inputTokens, conversation } = planned;
    const { inference, safetyIdentifier } = request;
    // The client's name of its end user never leaves: the upstream gets a pseudonym of it, or of the account.
    const pseudonym = pipeline.pseudonyms.of(call.principal.accountId, safetyIdentifier);
    this.#tail = pipeline.ids.next();
    this.id = `gen-${this.#tail}`;
    this.call = call;
    this.planned = planned;
    this.cancellation = new Cancellation(pipeline, call.signal, { isStreamed: inference.stream });
    this.#turn = {
      generationId: this.id,
      call,
      policy,
      plan,
      request: { ...inference, options: { ...inference.options, ...pseudonym } },
      inputTokens,
      labels: requestLabels(call, request),
      conversation,
      cancellation: this.cancellation,
      onBody: request.echoesUpstreamBody
        ? (body) => void this.#debugged.push({ echo_upstream_body: body })
        : undefined,
      tried: this.#tried,
    };
  }

  turn(number: number): Turn {
    return { ...this.#turn, number };
  }

  /** Notes that the worst case of a turn is held: upstreams are called, and replies name the response. */
  held(turn: HeldTurn): void {
    this.#held ??= turn;
  }

  get isHeld(): boolean {
    return this.#held !== undefined;
  }

  /** The header that names the response; empty before its first turn is held. */
  get headers(): Readonly<Record<string, string>> {
    return this.#held ? { 'x-generation-id': this.id } : {};
  }

  /** Returns the head that names the model of the first attempt. Only after its first turn is held. */
  head(): ResponseHead {
    const held = this.#held;
    if (!held) throw new Error('invariant: a response begins after its first turn is held');
    const { echo, inference } = this.planned.request;
    const { request, first, isOpenEnded, dropsThinking } = held;
    return {
      id: `resp_${this.#tail}`,
      model: first.model.id,
      createdAt: Math.floor(held.held.hold.at.getTime() / 1_000),
      echo:
        isOpenEnded && !dropsThinking
          ? echo
          : {
              ...echo,
              ...(!isOpenEnded && { max_output_tokens: request.maxOutputTokens ?? null }),
              ...(dropsThinking && { reasoning: noThoughts }),
            },
      tellsEncrypted: inference.options?.includesEncryptedReasoning ?? false,
    };
  }

  readonly itemId = (prefix: string, index: number): string =>
    `${prefix}_${this.#tail}_${String(index)}`;

  /** Takes the bodies that were sent to providers and are not told yet. */
  takeDebugged(): readonly DebugTold[] {
    return this.#debugged.splice(0);
  }

  /**
   * Returns how the response was routed so far. undefined: the client did not ask for it, and the answer was not given
   * a smaller limit than its model has.
   */
  metadata(): ServiceMetadata | undefined {
    const isLimited = this.#tried.at(-1)?.limit?.limitedBy !== undefined;
    if (!this.#held || (this.call.client?.wantsMetadata !== true && !isLimited)) return undefined;
    const elapsedMs = performance.now() - this.#held.startedMs;
    return serviceMetadata(routedOf(this.planned.plan), this.#tried, elapsedMs);
  }
}
