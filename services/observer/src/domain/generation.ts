/** One model call of a generation. */
export interface GenerationTurn {
  /** From 1. */
  readonly turn: number;
  readonly model: string;
  readonly provider: string;
  readonly upstreamId: string;
  /** completed | incomplete | failed | cancelled | interrupted */
  readonly outcome: string;
  readonly finishReason: string;
  readonly startedAtMs: number;
  readonly completedAtMs: number;
  /** The time to the first output. Undefined: there was none. */
  readonly latencyMs: number | undefined;
  readonly tokens: Tokens;
  readonly costNanoUsd: bigint;
  readonly attempts: readonly GenerationAttempt[];
}

export interface GenerationAttempt {
  readonly provider: string;
  /** The code of our error. Empty: it gave output. */
  readonly errorCode: string;
  readonly latencyMs: number;
}

/** One call of a server tool. */
export interface GenerationToolCall {
  /** From 1. */
  readonly number: number;
  /** `service:web_search` */
  readonly toolType: string;
  /** Empty: Sluice itself. */
  readonly engine: string;
  readonly outcome: string;
  readonly startedAtMs: number;
  readonly completedAtMs: number;
  readonly costNanoUsd: bigint;
}

/** Content that one filter of a guardrail found in one place, without its text. */
export interface GuardrailEvent {
  /** input | added (to the input of a later turn, as results of tools) | output */
  readonly stage: string;
  readonly guardrailId: string;
  /** workspace | member | api-key */
  readonly guardrailScope: string;
  /** The slug of a built-in filter, or custom. */
  readonly filter: string;
  readonly label: string;
  /** flag | redact | block */
  readonly action: string;
  readonly rule: string;
  /** `input.3` */
  readonly place: string;
  readonly count: number;
}

export interface Tokens {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  readonly reasoning: number;
}

/** Facts of a generation that each of its failed model calls names, too. An empty text: nothing is known. */
export interface GenerationFacts {
  readonly generationId: string;
  readonly requestId: string;
  readonly accountId: string;
  readonly workspaceId: string;
  readonly keyHash: string;
  /** The member of the account that made the key. */
  readonly userId: string;
  /** The `user` and the `session_id` of the request. */
  readonly externalUser: string;
  readonly sessionId: string;
  /** W3C trace context of the request. */
  readonly traceparent: string;
  /** embeddings | rerank; empty: an answer. */
  readonly apiType: string;
  readonly streamed: boolean;
  readonly model: string;
  readonly outcome: string;
  /** The code of the error that ended it. Empty: none did. */
  readonly errorCode: string;
  readonly httpReferer: string;
  readonly userAgent: string;
  readonly appTitle: string;
  readonly guardrailInvoked: boolean;
  readonly moderationLatencyMs: number | undefined;
}

/**
 * A generation that has come to its end, as senders get it. The model, the outcome, and the fields up to `serviceTier`
 * are of its last turn.
 */
export interface FinishedGeneration extends GenerationFacts {
  /** The name of the API key, as it is now. */
  readonly keyName: string;
  /** The object `trace` of the request. */
  readonly trace: Readonly<Record<string, unknown>>;
  /** global | europe | us */
  readonly region: string;
  readonly isByok: boolean;
  readonly provider: string;
  readonly upstreamId: string;
  readonly finishReason: string;
  readonly nativeFinishReason: string;
  readonly serviceTier: string;
  readonly startedAtMs: number;
  readonly completedAtMs: number;
  /** From the admission to the first output. Undefined: there was none. */
  readonly latencyMs: number | undefined;
  /** Sums over all turns. */
  readonly tokens: Tokens;
  /** Sums over all turns and tool calls. */
  readonly costNanoUsd: bigint;
  readonly feeNanoUsd: bigint;
  /** Empty also if the end of the response is not known. */
  readonly guardrailEvents: readonly GuardrailEvent[];
  /** Events beyond these. */
  readonly guardrailEventsOmitted: number;
  /** The generation whose answer was repeated from the response cache. */
  readonly responseCacheSourceId: string;
  /** In their order. Steps within a tool call are not among them; their costs and tokens are in the sums. */
  readonly turns: readonly GenerationTurn[];
  readonly toolCalls: readonly GenerationToolCall[];
}
