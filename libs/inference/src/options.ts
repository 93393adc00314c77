import type { CacheMarker } from './content.ts';

/**
 * The options of a request beside its input. A field is absent if the client did not set it. An upstream that does not
 * know a field is not sent it.
 */
export interface ModelOptions {
  readonly topK?: number;
  /** -2 to 2, like the next. */
  readonly frequencyPenalty?: number;
  readonly presencePenalty?: number;
  /** 0 to 2: 1 has no effect. */
  readonly repetitionPenalty?: number;
  /** 0 to 1, like the next. */
  readonly minP?: number;
  readonly topA?: number;
  /** From -100 to 100 for each token id. */
  readonly logitBias?: Readonly<Record<string, number>>;
  readonly seed?: number;
  /** The answer ends before the first of these texts. One to four. */
  readonly stop?: readonly string[];
  /** A text that much of the answer is expected to repeat, passed through untouched. */
  readonly prediction?: Readonly<Record<string, unknown>>;
  /** Number of alternatives returned per token, 0 to 20. */
  readonly topLogprobs?: number;
  readonly reasoning?: ReasoningOptions;
  /** Which reasoning of earlier turns the model sees, where the upstream has an option for it. */
  readonly thoughtsContext?: 'auto' | 'all_turns' | 'current_turn';
  /** Absent: plain text. */
  readonly format?: StructuredFormat;
  readonly verbosity?: 'low' | 'medium' | 'high' | 'xhigh' | 'max';
  /** Absent: text alone. */
  readonly modalities?: readonly ('text' | 'image')[];
  /** Passed through untouched to models that make images. */
  readonly imageConfig?: Readonly<Record<string, unknown>>;
  readonly serviceTier?: 'fast' | 'flex' | 'priority' | 'ultrafast';
  /** The whole prompt is worth being cached, as far as the upstream finds it so. */
  readonly cache?: CacheMarker;
  readonly promptCacheKey?: string;
  /** The number of times that tools of the upstream may be called. If absent, there is no limit. */
  readonly nativeCallsMax?: number;
  /** Only marked places of the prompt are cached. */
  readonly hasExplicitCacheOnly?: boolean;
  /** The lifetime that is requested for such places, in the words of the one dialect that has them. */
  readonly promptCacheTtl?: string;
  /** A pseudonym of the client's end user: never what the client called it. */
  readonly endUser?: string;
  /** A pseudonym of the account: stands for its end users where the client names none. */
  readonly accountUser?: string;
  /** The reasoning is wanted in a form that only the upstream can read. */
  readonly includesEncryptedReasoning?: boolean;
  /** Words of `include` that only the upstream understands. */
  readonly include?: readonly string[];
}

export type ReasoningEffort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max';

/** The amount of reasoning that is requested of a model. `effort` and `tokensMax` say the same thing in two ways. */
export interface ReasoningOptions {
  readonly effort?: ReasoningEffort;
  readonly tokensMax?: number;
  readonly isEnabled?: boolean;
  /** The model itself decides how much it thinks, where it can. Elsewhere the effort is medium. */
  readonly isAdaptive?: boolean;
  /** The client shows no thoughts. An upstream that can leaves out their texts. */
  readonly isHidden?: boolean;
  readonly summary?: 'auto' | 'concise' | 'detailed';
}

/** The form that the text of an answer must have. */
export type StructuredFormat =
  | { readonly type: 'json-object' }
  | {
      readonly type: 'json-schema';
      readonly name: string;
      readonly description: string | undefined;
      readonly schema: Readonly<Record<string, unknown>>;
      readonly strict: boolean | undefined;
    };
