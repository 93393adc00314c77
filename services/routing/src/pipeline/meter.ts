import type { StreamPart, TokenUsage } from '@sluice/inference';
import type { Beginning, Outcome } from '../usage/outcome.ts';
import type { Progress } from '../usage/record.ts';
import { estimateTokens } from './tokens.ts';

type LastPart = Extract<StreamPart, { type: 'finish' | 'error' }>;

/** Reads the parts of one attempt and knows at any moment what was served. */
export class Meter {
  readonly #inputTokens: number;
  readonly #beginning: Beginning | undefined;
  readonly #served = new Map<number, { bytes: number; isReasoning: boolean }>();
  #upstreamId: string | undefined;
  #last: LastPart | undefined;

  /** Takes our own count of the input, for when the upstream gives none. */
  constructor(inputTokens: number, beginning?: Beginning) {
    this.#inputTokens = inputTokens;
    this.#beginning = beginning;
  }

  add(part: StreamPart): void {
    switch (part.type) {
      case 'response-start':
        this.#upstreamId = part.upstreamId;
        return;
      case 'text-delta':
      case 'refusal-delta':
      case 'tool-call-delta':
        return this.#serve(part.part, part.delta, false);
      case 'reasoning-delta':
        return this.#serve(part.part, part.delta, true);
      case 'finish':
      case 'error':
        this.#last ??= part;
        return;
      default:
    }
  }

  /** By our own count. */
  progress(): Progress {
    let outputTokens = 0;
    let reasoningTokens = 0;
    for (const { bytes, isReasoning } of this.#served.values()) {
      outputTokens += estimateTokens(bytes);
      if (isReasoning) reasoningTokens += estimateTokens(bytes);
    }
    return { outputTokens, reasoningTokens };
  }

  /** How the attempt ended; without a last part it was cut off by us. */
  outcome(completedAt: Date, { isClientGone }: { readonly isClientGone: boolean }): Outcome {
    const last = this.#last;
    const counted = last?.usage;
    return {
      outcome: this.#outcomeWord(isClientGone),
      finishReason: last?.type === 'finish' ? last.reason : '',
      usage: counted ?? this.#estimate(),
      isEstimated: counted === undefined,
      // Only an upstream that speaks of its failure has a code for it; a cut connection has none.
      isDeclaredFailure: last?.type === 'error' && last.providerCode !== undefined,
      upstreamId: this.#upstreamId,
      completedAt,
      nativeFinishReason: last?.type === 'finish' ? last.nativeReason : undefined,
      beginning: this.#beginning,
    };
  }

  #outcomeWord(isClientGone: boolean): Outcome['outcome'] {
    const last = this.#last;
    if (isClientGone || last === undefined) return 'cancelled';
    if (last.type === 'error') return 'failed';
    return last.reason === 'length' || last.reason === 'content-filter'
      ? 'incomplete'
      : 'completed';
  }

  #estimate(): TokenUsage {
    return { inputTokens: this.#inputTokens, cachedTokens: 0, ...this.progress() };
  }

  #serve(part: number, delta: string, isReasoning: boolean): void {
    const bytes = Buffer.byteLength(delta);
    const served = this.#served.get(part);
    if (served) served.bytes += bytes;
    else this.#served.set(part, { bytes, isReasoning });
  }
}
