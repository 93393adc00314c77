import { isCodex } from '@sluice/client-errors';
import { isRejection, type Rejection } from '@sluice/errors';
import type { AnswerPart, InputItem } from '@sluice/inference';
import type { InferenceCall } from '@sluice/inference-port';
import type { AnswerHead, SentBody } from '../dialects/dialect.ts';
import type { AlignmentResult } from '../request/alignment.ts';
import type { LoopLimits } from '../request/loop-limits.ts';
import { requestLabels } from '../request/request-labels.ts';
import { addUsage, type UsageReport } from '../request/usage-report.ts';
import { planFrom, type PlannedAttempt, routedOf } from '../selection/plan.ts';
import { Cancellation } from '../turn/cancellation.ts';
import type { TurnEnd } from '../turn/settle.ts';
import { estimateInputTokens } from '../turn/tokens.ts';
import type { TriedAttempt } from '../turn/tried-attempt.ts';
import type { TurnListener } from '../turn/turn-listener.ts';
import type { OpeningTurn, Turn } from '../turn/turn.ts';
import type { Pipeline } from './deps.ts';
import type { ServiceMetadata } from '../request/service-metadata.ts';
import { afterCalls } from '../tools/native.ts';
import { nativeToolsOf } from '../tools/shown-tool.ts';
import { alignmentOf, runAddedStages } from '../stages/run-turn-stages.ts';
import type { OutputReport, TurnStage } from '../stages/stage.ts';
import type { ResponseListener } from './response-listener.ts';
import { type Caching, cachingOf } from './cache/caching.ts';
import type { Asked, Asking } from './inner/asking.ts';
import { dataDiscountOf } from './data-discount.ts';
import { openingParts } from './mcp-opening.ts';
import { type Observation, observationOf } from './observation.ts';
import type { Planned } from './planned.ts';
import type { NextTurn, ResponseTurns } from './response-turns.ts';
import { budgetParams, serviceMetadata } from './service-metadata.ts';

const none: ReadonlySet<string> = new Set();

/** A response in progress. */
export class ResponseRun implements ResponseTurns, TurnListener {
  readonly id: string;
  readonly call: InferenceCall;
  readonly planned: Planned;
  readonly cancellation: Cancellation;
  readonly caching: Caching | undefined;
  readonly observation: Observation | undefined;
  readonly #name: string;
  readonly #askModel: Pipeline['askModel'];
  #turn: Turn;
  readonly tried: TriedAttempt[] = [];
  readonly #sent: SentBody[] = [];
  #limits: Readonly<Record<string, string>> = {};
  #listener: ResponseListener | undefined;
  #held: OpeningTurn | undefined;
  #budgetRefusal: string | undefined;
  #added: OutputReport = { reports: [], detections: [], isBlocked: false };
  #dropped = 0;
  #lost: UsageReport | undefined;

  constructor(pipeline: Pipeline, call: InferenceCall, planned: Planned) {
    const { request, policy, plan, inputTokens, conversation, detections } = planned;
    const { moderationLatencyMs, inner, work } = planned;
    const { inference, safetyIdentifier } = request;
    // The client's name of its end user never leaves: the upstream gets a pseudonym of it, or of the account.
    const pseudonym = pipeline.pseudonyms.of(call.principal.accountId, safetyIdentifier);
    this.#name = work.name;
    this.#askModel = pipeline.askModel;
    this.id = work.generationId;
    this.call = call;
    this.planned = planned;
    this.caching = planned.caching ?? cachingOf(call, planned);
    this.observation = observationOf(call, planned, this.id);
    this.cancellation = new Cancellation(pipeline, call.signal);
    this.#turn = {
      number: 1,
      firstPart: planned.beginning ? openingParts(planned.beginning) : 0,
      generationId: this.id,
      usagePrefix: inner?.usagePrefix,
      call,
      policy,
      plan,
      request: { ...inference, options: { ...inference.options, ...pseudonym } },
      inputTokens,
      natives: nativeToolsOf(planned.serverTools, request.loop, pipeline.toolLimits),
      words: request.words,
      labels: requestLabels(call, request, {
        guardrailInvoked: detections.length > 0,
        moderationLatencyMs,
        ...(this.observation?.reportsEnd && { hasEnd: true }),
      }),
      dataDiscountBasisPoints: dataDiscountOf(call, planned),
      conversation,
      cancellation: this.cancellation,
      onBody: request.echoesUpstreamBody ? (body) => void this.#sent.push(body) : undefined,
      onLimits: call.dialect === 'messages' ? (limits) => (this.#limits = limits) : undefined,
      tried: this.tried,
      attemptStages: planned.attemptStages,
      outputs: planned.outputs,
    };
  }

  get turn(): Turn {
    return this.#turn;
  }
  get turnStages(): readonly TurnStage[] {
    return this.planned.turnStages;
  }
  get serverTools() {
    return this.planned.serverTools;
  }
  get beginning() {
    return this.planned.beginning;
  }

  get sources() {
    return this.planned.request.sources;
  }

  get loop(): LoopLimits {
    return this.planned.request.loop;
  }

  async next(
    { served, nextPart }: Pick<TurnEnd, 'served' | 'nextPart'>,
    added: readonly InputItem[],
    { nativeCalls = [], ...changes }: NextTurn = {},
  ): Promise<Turn | Rejection> {
    const grown = await this.#grown(added, changes);
    if (isRejection(grown)) return grown;
    const { number, plan } = grown;
    const firstPart = nextPart;
    const natives = afterCalls(grown.natives, nativeCalls);
    const next = { number: number + 1, firstPart, plan: planFrom(plan, served), natives };
    this.#turn = { ...grown, ...next };
    return this.#turn;
  }

  async begin(added: readonly InputItem[]): Promise<Turn | Rejection> {
    const grown = await this.#grown(added, {});
    if (!isRejection(grown)) this.#turn = grown;
    return grown;
  }

  /** Returns the turn with more items, as the turn stages leave them. */
  async #grown(
    added: readonly InputItem[],
    { toolChoice, revealed = [] }: NextTurn,
  ): Promise<Turn | Rejection> {
    const checked = await runAddedStages(this.turnStages, added);
    const { reports = [], detections = [] } = checked;
    this.#added = {
      reports: [...this.#added.reports, ...reports],
      detections: [...this.#added.detections, ...detections],
      isBlocked: isRejection(checked),
    };
    if (isRejection(checked)) return checked;
    const { labels, request: before } = this.#turn;
    const request = {
      ...before,
      items: [...before.items, ...checked.items],
      ...(revealed.length > 0 && { tools: [...before.tools, ...revealed] }),
      ...(toolChoice && { toolChoice }),
    };
    return {
      ...this.#turn,
      request,
      inputTokens: estimateInputTokens(request),
      labels: detections.length > 0 ? { ...labels, guardrailInvoked: true } : labels,
    };
  }

  nextCall(): number {
    return this.planned.work.next();
  }

  ask(asking: Asking): Promise<Asked> {
    const { id: generationId, call } = this;
    const { request, inner, work } = this.planned;
    const [allowance, askers] = [work.allowance, inner?.askers ?? none];
    return this.#askModel({ call, request, generationId, allowance, askers }, asking);
  }

  again({ nextPart }: Pick<TurnEnd, 'nextPart'>): Turn {
    const { number, firstPart } = this.#turn;
    this.#dropped += nextPart - firstPart;
    this.#turn = { ...this.#turn, number: number + 1, firstPart: nextPart };
    return this.#turn;
  }

  lose(usage: UsageReport): void {
    this.#lost = this.#lost ? addUsage(this.#lost, usage) : usage;
  }

  /** The usage of stages, and of answers that were lost. undefined: there is none. */
  get usageBeside(): UsageReport | undefined {
    const { usage } = this.planned.work;
    return usage && this.#lost ? addUsage(usage, this.#lost) : (usage ?? this.#lost);
  }

  get alignment(): AlignmentResult | undefined {
    const { caching } = this;
    return caching?.sourceId === undefined ? alignmentOf(this.turnStages) : caching.alignment;
  }

  get added(): OutputReport {
    return this.#added;
  }

  /** Has the listener follow the response through all its turns. */
  follow(listener: ResponseListener): TurnListener {
    this.#listener = listener;
    return this;
  }

  /** From the first hold on, replies name the response. */
  held(turn: OpeningTurn): void {
    this.#budgetRefusal ??= turn.plan?.budgetRefusal;
    if (this.#held) return;
    this.#held = turn;
    this.#listener?.opened(turn);
  }

  began({ model, endpoint }: PlannedAttempt): void {
    this.#listener?.servedBy(model.id, endpoint.providerName);
  }

  parts(parts: readonly AnswerPart[]): Promise<void> | undefined {
    this.observation?.note(parts);
    const dropped = this.#dropped;
    return this.#listener?.parts(
      dropped === 0 ? parts : parts.map((part) => renumbered(part, dropped)),
    );
  }

  get isHeld(): boolean {
    return this.#held !== undefined;
  }
  /** The headers that name the response and the limits at its provider; empty before its first turn is held. */
  get headers(): Readonly<Record<string, string>> {
    if (!this.#held) return {};
    return { ...this.#limits, ...this.caching?.headers, 'x-generation-id': this.id };
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

  /** Takes the bodies that were sent to providers. */
  takeSent(): readonly SentBody[] {
    return this.#sent.splice(0);
  }

  /** Returns how the response was routed so far, if the client asks for it or has to know it. */
  metadata(): ServiceMetadata | undefined {
    // A repeated answer was not routed.
    if (this.caching?.sourceId !== undefined) return undefined;
    const isTold = this.#budgetRefusal ?? this.tried.at(-1)?.limit?.limitedBy;
    if (!this.#held || (this.call.client?.wantsMetadata !== true && !isTold)) return undefined;
    const elapsedMs = performance.now() - this.#held.startedMs;
    const routed = routedOf(this.planned.plan);
    const outputs = this.planned.outputs.flatMap((output) => output.report().reports);
    const attempted = this.tried.at(-1)?.reports ?? [];
    const turns = this.turnStages.flatMap((stage) => stage.report?.() ?? []);
    const found = [...this.#added.reports, ...turns, ...outputs];
    const stages = [...(routed.stages ?? []), ...attempted, ...found];
    const params = budgetParams(this.planned.plan, this.#budgetRefusal);
    return serviceMetadata({ ...routed, params, stages }, this.tried, elapsedMs);
  }
}

/** Clients get the numbers that the parts would have without the dropped answers. */
function renumbered(part: AnswerPart, dropped: number): AnswerPart {
  return 'part' in part ? { ...part, part: part.part - dropped } : part;
}
