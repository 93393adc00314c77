import { setTimeout as delay } from 'node:timers/promises';
import { isRejection, type Rejection } from '@sluice/errors';
import { abortSignalOf, type InferenceCall } from '@sluice/inference-port';
import type { Policy } from '../policy/policy.ts';
import { requestLabels } from '../request/request-labels.ts';
import { addUsage, noUsage, type UsageReport, withToolUse } from '../request/usage-report.ts';
import type { AskedWork, DoneWork, StageWork, WorkContext, WorkEnd } from '../stages/stage-work.ts';
import { runTool } from '../turn/run-tool.ts';
import type { Credential } from '../credentials/credential.ts';
import type { CanonicalCall } from '../request/call.ts';
import type { Pipeline } from './deps.ts';
import { ownCredentialsOf, ownKeyOf } from './engine-offers.ts';
import type { AskAllowance, InnerPlace } from './inner/asking.ts';
import { CallQuestions } from './inner/call-questions.ts';

/** Questions of tools and stages to models in one response. */
const questionsMax = 100;
/**
 * The time, after the end of that of the work, for the usage of a model that was asked. A later usage is in the books,
 * but may be missing in the answer.
 */
const usageMs = 1_000;
const none: ReadonlySet<string> = new Set();

/** The name of a response, the numbers of its paid calls, and the calls of its stages. */
export class StageCalls implements StageWork {
  readonly allowance: AskAllowance;
  readonly #pipeline: Pipeline;
  readonly #call: InferenceCall;
  readonly #policy: Policy;
  readonly #inner: InnerPlace | undefined;
  #name: string | undefined;
  #number = 0;
  #usage: UsageReport | undefined;

  constructor(
    pipeline: Pipeline,
    call: InferenceCall,
    { policy, inner }: { readonly policy: Policy; readonly inner: InnerPlace | undefined },
  ) {
    this.#pipeline = pipeline;
    this.#call = call;
    this.#policy = policy;
    this.#inner = inner;
    this.allowance = inner?.allowance ?? { left: questionsMax };
  }

  /** The unique part of the names of the response. */
  get name(): string {
    return (this.#name ??= this.#pipeline.ids.next());
  }

  get generationId(): string {
    return this.#inner?.generationId ?? `gen-${this.name}`;
  }

  /** True in a question of a tool or of a stage. */
  get isInner(): boolean {
    return this.#inner !== undefined;
  }

  /** Returns true in a question of a tool or of a stage of this type, however deep. */
  isWithin(type: string): boolean {
    return this.#inner?.askers.has(type) ?? false;
  }

  /** Returns the number of the next paid call, from 1. */
  next(): number {
    return (this.#number += 1);
  }

  /** The usage of the stages so far. Absent: there was none. */
  get usage(): UsageReport | undefined {
    return this.#usage;
  }

  ownCredentials({ preferences }: CanonicalCall): Promise<readonly Credential[]> {
    const { principal } = this.#call;
    return ownCredentialsOf(this.#pipeline, principal, preferences.models[0] ?? '');
  }

  async run<Result>(
    asked: AskedWork,
    run: (context: WorkContext) => Promise<DoneWork<Result>>,
  ): Promise<WorkEnd<Result> | Rejection> {
    const { type, engine, worstNanoUsd, timeoutMs, call: request, credential } = asked;
    // A stage does no work within its own question: there would be no end.
    if (this.isWithin(type)) return { result: undefined, costNanoUsd: 0n };
    const ownKey = await ownKeyOf(this.#pipeline, { call: this.#call }, credential);
    if (ownKey === 'unavailable') return { result: undefined, costNanoUsd: 0n };
    const left = abortSignalOf(this.#call.signal);
    const signal = AbortSignal.any([left, AbortSignal.timeout(timeoutMs)]);
    const questions = new CallQuestions(
      (asking) => this.#pipeline.askModel(this.#asker(request), asking),
      { type, signal },
    );
    const model = request.preferences.models[0] ?? '';
    const credentialId = credential?.id;
    const called = { number: this.next(), type, engine, model, worstNanoUsd, credentialId };
    let end: WorkEnd<Result> = { result: undefined, costNanoUsd: 0n };
    let used = noUsage;
    try {
      const ended = await runTool(this.#pipeline, this.#turn(request), called, (usageId) =>
        untilAborted(run({ usageId, signal, ask: questions.askerOf(usageId), ownKey }), signal),
      );
      if (isRejection(ended)) return ended;
      used = withToolUse(noUsage, { ...ended.use, ...notCounted(type) });
      end = { result: ended.result, costNanoUsd: used.costNanoUsd };
    } catch (error) {
      const { generationId } = this;
      this.#pipeline.logger.warn(`the work ${type} failed`, { generationId, error });
    }
    const models = await this.#settled(questions, signal);
    if (models) used = addUsage(used, models);
    this.#add(used);
    return { ...end, costNanoUsd: used.costNanoUsd };
  }

  /** Returns the usage of the models that were asked. undefined: there is none, or it was not waited for. */
  async #settled(questions: CallQuestions, signal: AbortSignal): Promise<UsageReport | undefined> {
    const settled = questions.settled();
    if (!signal.aborted) return await settled;
    const waiting = new AbortController();
    const late = delay(usageMs, undefined, { signal: waiting.signal }).catch(() => undefined);
    const first = await Promise.race([settled.then((usage) => ({ usage })), late]);
    waiting.abort();
    if (first) return first.usage;
    const added = settled.then((usage) => usage && this.#add(usage));
    this.#pipeline.running.track(added).catch(() => {});
    return undefined;
  }

  #add(usage: UsageReport): void {
    this.#usage = this.#usage ? addUsage(this.#usage, usage) : usage;
  }

  #asker(request: AskedWork['call']) {
    const { generationId, allowance } = this;
    return {
      call: this.#call,
      request,
      generationId,
      allowance,
      askers: this.#inner?.askers ?? none,
    };
  }

  #turn(request: AskedWork['call']) {
    const [call, policy] = [this.#call, this.#policy];
    const checked = { guardrailInvoked: false, moderationLatencyMs: undefined };
    return {
      generationId: this.generationId,
      usagePrefix: this.#inner?.usagePrefix,
      call,
      policy,
      labels: requestLabels(call, request, checked),
      request: request.inference,
    };
  }
}

/** The work of a plugin is no call of a server tool, unless the plugin stands for one. */
function notCounted(type: AskedWork['type']): { readonly requested: 0; readonly executed?: 0 } {
  return type.startsWith('service:') ? { requested: 0 } : { requested: 0, executed: 0 };
}

/** Rejects as soon as the signal is aborted: the work may not heed it. */
async function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const aborted = Promise.withResolvers<never>();
  const stop = () => aborted.reject(signal.reason as Error);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await Promise.race([aborted.promise, work]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
