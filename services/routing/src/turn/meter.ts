import type { LastPart, StreamPart, TellingDifference, TokenUsage } from '@sluice/inference';
import { isSearchItem } from '@sluice/providers';
import type { Beginning, Outcome } from '../usage/journal/outcome.ts';
import type { Progress } from '../usage/journal/record.ts';
import { estimateTokens } from './tokens.ts';

export interface MeterOptions {
  /** Sluice's own count of the input, used if the upstream reports none. */
  readonly inputTokens: number;
  /** Pictures that were sent; absent: none. */
  readonly inputImages?: number;
  /** Sluice's own count of the search units, used if the upstream reports none. Absent: none. */
  readonly searchUnits?: number;
  /** The number of times that the provider may read up to a whole context. If absent, it is one. */
  readonly readings?: number;
  /** Context of the model; absent: not known. */
  readonly contextLength?: number | undefined;
  /** The output limit that was sent: our own count of an output goes no further. Absent: none. */
  readonly outputTokensMax?: number | undefined;
  readonly beginning?: Beginning | undefined;
}

/** A multiple of the context length. Higher counts are implausible, even with margins and hidden thoughts. */
const contextFactor = 4;
const contextLengthUnknown = 10_000_000;

const noDifferences: ReadonlyMap<TellingDifference, number> = new Map();

/** Reads the parts of one attempt and knows at any moment what was served. */
export class Meter {
  readonly #inputTokens: number;
  readonly #inputImages: number;
  readonly #searchUnits: number;
  readonly #tokensMax: number;
  readonly #outputTokensMax: number;
  readonly #beginning: Beginning | undefined;
  readonly #served = new Map<number, { bytes: number; isReasoning: boolean }>();
  #servedBytes = 0;
  #upstreamId: string | undefined;
  /** The input usage that the upstream reported before its answer. */
  #read: TokenUsage | undefined;
  #differences: Map<TellingDifference, number> | undefined;
  #media = 0;
  /** Searches of the web that the upstream's items tell of. */
  #searches = 0;
  #partCount = 0;
  #hasThoughts = false;
  #last: LastPart | undefined;
  /** The last reported usage that could not be read. */
  #unreadUsage: string | undefined;

  constructor(options: MeterOptions) {
    const {
      inputTokens,
      inputImages = 0,
      searchUnits = 0,
      readings = 1,
      contextLength = contextLengthUnknown,
      outputTokensMax = Infinity,
      beginning,
    } = options;
    this.#inputTokens = inputTokens;
    this.#inputImages = inputImages;
    this.#searchUnits = searchUnits;
    this.#tokensMax = contextFactor * contextLength * readings;
    this.#outputTokensMax = outputTokensMax;
    this.#beginning = beginning;
  }

  add(part: StreamPart): void {
    switch (part.type) {
      case 'response-start':
        this.#upstreamId = part.upstreamId;
        this.#read = this.#credible(part.inputUsage);
        return;
      case 'text-delta':
      case 'refusal-delta':
      case 'tool-call-delta':
        return this.#serve(part.part, part.delta, false);
      case 'reasoning-delta':
      case 'reasoning-summary-delta':
        this.#hasThoughts = true;
        return this.#serve(part.part, part.delta, true);
      case 'image':
        this.#media += 1;
        return this.#begin(part.part);
      case 'text-start':
      case 'refusal-start':
      case 'reasoning-start':
      case 'tool-call-start':
      case 'native-start':
        return this.#begin(part.part);
      case 'native-end':
        if (isSearchItem(part.item)) this.#searches += 1;
        return;
      case 'correction': {
        const { difference } = part;
        this.#differences ??= new Map();
        this.#differences.set(difference, (this.#differences.get(difference) ?? 0) + 1);
        return;
      }
      case 'unread-usage':
        this.#unreadUsage = part.raw;
        return;
      case 'finish':
      case 'error':
        this.#last ??= part;
        return;
      case 'text-end':
      case 'refusal-end':
      case 'reasoning-end':
      case 'tool-call-end':
      case 'text-annotation':
      case 'embeddings':
      case 'ranks':
        return;
    }
    part satisfies never;
  }

  /** Returns the last part of the upstream. undefined: there is none yet. */
  get last(): LastPart | undefined {
    return this.#last;
  }

  /** The parts that have begun. */
  get partCount(): number {
    return this.#partCount;
  }

  /** The texts that the upstream sent twice and differently, by the way in which they differ. */
  get differences(): ReadonlyMap<TellingDifference, number> {
    return this.#differences ?? noDifferences;
  }

  /** The bytes of all texts so far. */
  get servedBytes(): number {
    return this.#servedBytes;
  }

  /** Returns Sluice's own count, up to the output limit that was sent. */
  progress(): Progress {
    let outputTokens = 0;
    let reasoningTokens = 0;
    for (const { bytes, isReasoning } of this.#served.values()) {
      outputTokens += estimateTokens(bytes);
      if (isReasoning) reasoningTokens += estimateTokens(bytes);
    }
    const max = this.#outputTokensMax;
    return {
      outputTokens: Math.min(outputTokens, max),
      reasoningTokens: Math.min(reasoningTokens, max),
    };
  }

  /** Returns the outcome of the attempt. Without a last part, Sluice cut it off. */
  outcome(
    completedAt: Date,
    { isClientGone, inputMedia }: Pick<Outcome, 'inputMedia'> & { readonly isClientGone: boolean },
  ): Outcome {
    const last = this.#last;
    const reported = this.#credible(last?.usage);
    // The counts of an answer that broke off may be from its start.
    const isWhole = last?.type !== 'error';
    const counted =
      reported && (isWhole ? this.#withThoughts(reported) : this.#atLeastSeen(reported));
    const providerUsage = counted ? undefined : this.#incredible();
    return {
      outcome: this.#outcomeWord(isClientGone),
      finishReason: last?.type === 'finish' ? last.reason : '',
      usage: this.#withCounts(counted ?? this.#estimate()),
      isEstimated: counted === undefined,
      estimateReason: providerUsage === undefined ? undefined : 'absurd_usage',
      providerUsage,
      // Only a failure that the upstream declared has a code. A cut connection has none.
      isDeclaredFailure: last?.type === 'error' && last.providerCode !== undefined,
      upstreamId: this.#upstreamId,
      completedAt,
      nativeFinishReason: last?.type === 'finish' ? last.nativeReason : undefined,
      beginning: this.#beginning,
      serviceTier: last?.type === 'finish' ? last.serviceTier : undefined,
      inputMedia,
      outputMedia: this.#media,
    };
  }

  /** Returns the upstream's count, unless no model can read or write so much. */
  #credible(usage: TokenUsage | undefined): TokenUsage | undefined {
    if (!usage) return undefined;
    const isTooMuch = Math.max(usage.inputTokens, usage.outputTokens) > this.#tokensMax;
    return isTooMuch ? undefined : usage;
  }

  /** Returns the raw usage that is not credible, or undefined if there is none. */
  #incredible(): string | undefined {
    const usage = this.#last?.usage;
    return usage ? JSON.stringify(usage) : this.#unreadUsage;
  }

  #outcomeWord(isClientGone: boolean): Outcome['outcome'] {
    const last = this.#last;
    if (last?.type === 'error') return 'failed';
    if (isClientGone || last === undefined) return 'cancelled';
    return last.reason === 'length' || last.reason === 'content-filter'
      ? 'incomplete'
      : 'completed';
  }

  /** Adds counted thoughts. Some upstreams, mostly of the messages dialect, send thoughts without a separate count. */
  #withThoughts(reported: TokenUsage): TokenUsage {
    if (reported.reasoningTokens > 0 || !this.#hasThoughts) return reported;
    const { imageOutputTokens = 0, audioOutputTokens = 0 } = reported;
    const textTokens = reported.outputTokens - imageOutputTokens - audioOutputTokens;
    return { ...reported, reasoningTokens: Math.min(this.progress().reasoningTokens, textTokens) };
  }

  #atLeastSeen(reported: TokenUsage): TokenUsage {
    const seen = this.progress();
    if (seen.outputTokens <= reported.outputTokens) return reported;
    return { ...reported, ...seen };
  }

  #estimate(): TokenUsage {
    const read = this.#read ?? { inputTokens: this.#inputTokens, cachedTokens: 0 };
    return { ...read, ...this.progress() };
  }

  /** Adds the counts that upstreams do not report. */
  #withCounts(usage: TokenUsage): TokenUsage {
    return this.#withSearches(this.#withUnits(this.#withImages(usage)));
  }

  /** Adds the number of input images, which no upstream reports. */
  #withImages(usage: TokenUsage): TokenUsage {
    return this.#inputImages === 0 ? usage : { ...usage, images: this.#inputImages };
  }

  /** Adds the search units, which providers that bill by the token do not report. */
  #withUnits(usage: TokenUsage): TokenUsage {
    return this.#searchUnits === 0 || usage.searchUnits !== undefined
      ? usage
      : { ...usage, searchUnits: this.#searchUnits };
  }

  /** Adds the number of searches, unless the upstream reports it. */
  #withSearches(usage: TokenUsage): TokenUsage {
    if (this.#searches === 0 || usage.webSearches !== undefined) return usage;
    return { ...usage, webSearches: this.#searches };
  }

  #begin(part: number): void {
    if (part >= this.#partCount) this.#partCount = part + 1;
  }

  #serve(part: number, delta: string, isReasoning: boolean): void {
    const bytes = Buffer.byteLength(delta);
    this.#servedBytes += bytes;
    const served = this.#served.get(part);
    if (served) served.bytes += bytes;
    else this.#served.set(part, { bytes, isReasoning });
  }
}
