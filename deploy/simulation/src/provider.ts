import type { Random } from '@sluice/testing/random';
import { Fault } from '@sluice/errors';
import type { InferenceRequest, StreamPart } from '@sluice/inference';
import type { RoutingDeps } from '@sluice/routing/service';
import { ownSecret } from './credentials.ts';
import type { Life, VirtualTime } from './virtual-time.ts';

type UpstreamPort = RoutingDeps['upstream'];
type CallOptions = Parameters<UpstreamPort['call']>[2];

/** One call as the provider saw it: its own books. */
export interface ProviderCall {
  readonly requestId: string;
  /** The caller's id of the attempt. */
  readonly attempt: string;
  readonly inputTokens: number;
  readonly outputTokensMax: number;
  readonly arrivedMs: number;
  readonly life: Life;
  readonly isStreamed: boolean;
  /** With the credential of a customer, who is charged for it. */
  readonly isOwn: boolean;
  /** The prices of a search, which uses no tokens. */
  readonly search?: { readonly costNanoUsd: bigint; readonly worstNanoUsd: bigint };
  cachedTokens: number;
  servedTokens: number;
  /** It gave the answer up: the customer of the caller was not served. */
  hasFailed: boolean;
  /** free: it charges nothing for it. */
  state: 'open' | 'charged' | 'free';
}

interface Served extends CallOptions {
  readonly life: Life;
  readonly isOwn: boolean;
}

/** The outcome of a call. */
type Fate = 'whole' | 'cut' | 'cut early' | 'silent' | 'declared failure' | 'refused';

/** Our own count takes four bytes for a token, so both sides count the same. */
const wordOfOneToken = 'word';
const bytesPerToken = 4;
const stepMsMax = 80;

/** Serves words, now and then fails in each of the ways, and writes down what it charges. */
export class Provider {
  readonly calls: ProviderCall[] = [];
  /** Grows with each change. */
  version = 0;
  readonly #time: VirtualTime;
  readonly #random: Random;

  constructor(time: VirtualTime, random: Random) {
    this.#time = time;
    this.#random = random;
  }

  connect(life: Life): UpstreamPort {
    return {
      call: ({ apiKey }, request, options) =>
        this.#serve(request, { ...options, life, isOwn: apiKey?.reveal() === ownSecret }),
      countInput: async () => undefined,
      lookUp: (_endpoint, upstreamId) => this.#lookUp(upstreamId, life),
    };
  }

  /** Writes down a call that another part of the world serves. */
  book(call: ProviderCall): void {
    this.calls.push(call);
    this.version++;
  }

  /** Ends it. */
  end(call: ProviderCall, state: 'charged' | 'free'): void {
    this.#end(call, state);
  }

  /** A stream ends where it is; a whole answer is made, and charged, to its end. */
  connectionsLost(life: Life): void {
    for (const call of this.calls.filter((one) => one.life === life && one.state === 'open')) {
      if (!call.isStreamed) call.servedTokens = this.#random.between(1, call.outputTokensMax);
      this.#end(call, 'charged');
    }
  }

  async #lookUp(upstreamId: string, life: Life): ReturnType<UpstreamPort['lookUp']> {
    await this.#time.sleep(this.#random.next() * stepMsMax);
    if (life.isOver) await new Promise(() => {});
    if (this.#random.next() < 0.2) throw new Fault('provider_unavailable');
    const call = this.calls.find(({ attempt }) => nameOf(attempt) === upstreamId);
    if (!call) return { type: 'unknown' };
    if (call.state === 'open') return { type: 'running' };
    const { inputTokens, cachedTokens, servedTokens: outputTokens, state } = call;
    const usage = { inputTokens, cachedTokens, outputTokens, reasoningTokens: 0 };
    return { type: 'served', usage, isFailed: state === 'free' };
  }

  async *#serve(
    request: InferenceRequest,
    { signal, requestId, attemptId = '', onNamed, progress, life, isOwn }: Served,
  ): AsyncGenerator<readonly StreamPart[]> {
    if (life.isOver) await new Promise(() => {});
    const random = this.#random.fork();
    const fate = chooseFate(random);
    const call: ProviderCall = {
      requestId,
      attempt: attemptId,
      inputTokens: inputTokensOf(request),
      outputTokensMax: request.maxOutputTokens ?? 0,
      arrivedMs: this.#time.nowMs,
      life,
      isStreamed: request.stream,
      isOwn,
      cachedTokens: 0,
      servedTokens: 0,
      hasFailed: fate !== 'whole',
      state: 'open',
    };
    this.book(call);
    try {
      progress?.sent();
      await this.#pause(random, signal);
      if (fate === 'refused') {
        progress?.refused();
        throw new Fault('provider_unavailable');
      }
      const tokens = random.between(1, Math.max(1, Math.min(call.outputTokensMax, 120)));
      // A whole answer is made before its first byte: what is not read of it is charged all the same.
      if (!request.stream && (fate === 'cut' || fate === 'cut early' || fate === 'silent'))
        call.servedTokens = random.between(1, tokens);
      if (fate === 'silent') throw new Fault('provider_timeout');
      progress?.answered();
      if (fate === 'cut early' || (fate === 'cut' && !request.stream)) {
        const isNamed = random.next() < 0.5;
        progress?.broke([...(isNamed ? opening(attemptId).slice(0, 1) : []), cutPart]);
        this.#end(call, 'charged');
        throw new Fault('provider_unavailable');
      }
      onNamed?.(nameOf(attemptId));
      const last = lastPart(random, { fate, call, tokens });
      const words = this.#words(call, { tokens, random, signal });
      if (!request.stream) {
        const parts = [];
        for await (const part of words) parts.push(part);
        this.#end(call, fate === 'declared failure' ? 'free' : 'charged');
        yield [...opening(attemptId), ...parts, ...last];
        return;
      }
      let head = opening(attemptId);
      for await (const part of words) {
        yield [...head, part];
        head = [];
      }
      this.#end(call, fate === 'declared failure' ? 'free' : 'charged');
      yield last;
    } finally {
      if (call.state === 'open') this.#end(call, call.servedTokens > 0 ? 'charged' : 'free');
    }
  }

  async *#words(
    call: ProviderCall,
    { tokens, random, signal }: { tokens: number; random: Random; signal: CallOptions['signal'] },
  ): AsyncGenerator<StreamPart> {
    while (call.servedTokens < tokens) {
      if (call.servedTokens > 0) await this.#pause(random, signal);
      const count = Math.min(tokens - call.servedTokens, random.between(1, 20));
      call.servedTokens += count;
      this.version++;
      yield { type: 'text-delta', part: 0, delta: wordOfOneToken.repeat(count) };
    }
  }

  async #pause(random: Random, signal: CallOptions['signal']): Promise<void> {
    if (signal.aborted) throw signal.reason;
    const { promise, reject } = Promise.withResolvers<never>();
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort);
    await Promise.race([promise, this.#time.sleep(random.next() * stepMsMax)]);
    signal.removeEventListener('abort', onAbort);
  }

  #end(call: ProviderCall, state: 'charged' | 'free'): void {
    if (call.state !== 'open') return;
    call.state = state;
    this.version++;
  }
}

function chooseFate(random: Random): Fate {
  const chance = random.next();
  if (chance < 0.05) return 'refused';
  if (chance < 0.08) return 'silent';
  if (chance < 0.11) return 'cut early';
  if (chance < 0.15) return 'cut';
  return chance < 0.2 ? 'declared failure' : 'whole';
}

/** Returns the provider's id of an attempt. */
const nameOf = (attempt: string) => `up-${attempt}`;

const opening = (attempt: string): readonly StreamPart[] => [
  { type: 'response-start', upstreamId: nameOf(attempt) },
  { type: 'text-start', part: 0 },
];

const cutPart: Extract<StreamPart, { type: 'error' }> = {
  type: 'error',
  code: 'provider_unavailable',
  message: 'the provider failed',
  providerCode: undefined,
  usage: undefined,
};

function lastPart(
  random: Random,
  { fate, call, tokens }: { fate: Fate; call: ProviderCall; tokens: number },
): readonly StreamPart[] {
  if (fate === 'cut') return [cutPart];
  if (fate === 'declared failure') return [{ ...cutPart, providerCode: 'server_error' }];
  const isTold = random.next() < 0.8;
  if (isTold) call.cachedTokens = random.below(call.inputTokens + 1);
  const { inputTokens, cachedTokens } = call;
  const usage = { inputTokens, cachedTokens, outputTokens: tokens, reasoningTokens: 0 };
  const isCutOff = tokens === call.outputTokensMax;
  return [
    { type: 'text-end', part: 0 },
    {
      type: 'finish',
      reason: isCutOff ? 'length' : 'stop',
      nativeReason: undefined,
      usage: isTold ? usage : undefined,
    },
  ];
}

function inputTokensOf({ items }: InferenceRequest): number {
  let tokens = 0;
  for (const item of items)
    if (item.type === 'message')
      for (const part of item.content)
        if (part.type === 'text') tokens += Math.ceil(Buffer.byteLength(part.text) / bytesPerToken);
  return tokens;
}
