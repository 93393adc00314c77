import type { ErrorCode } from '@sluice/errors';
import type { EmbeddingVector } from './embedding.ts';
import type { Rank } from './ranking.ts';
import type { ResultBlock } from './result-block.ts';
import type { TokenUsage } from './usage.ts';

/**
 * The answer of an upstream, in order, as one closed union. `part` numbers the open parts of one generation from 0.
 * Several may be open at once. A part that is still open at `finish` with `length` or `content-filter`, or at `error`,
 * was cut short.
 */
export type StreamPart =
  | {
      readonly type: 'response-start';
      readonly upstreamId: string | undefined;
      /** The usage of the input, if the upstream reports it before it answers. Its output is 0. */
      readonly inputUsage?: TokenUsage;
    }
  | { readonly type: 'text-start'; readonly part: number; readonly phase?: Phase }
  | {
      readonly type: 'text-delta';
      readonly part: number;
      readonly delta: string;
      /** The log probabilities of this delta's tokens. Absent: not requested, or not reported. */
      readonly logprobs?: readonly Logprob[];
    }
  | {
      readonly type: 'text-annotation';
      readonly part: number;
      /** In the words of the contract; its indexes count UTF-16 units of the part's text. */
      readonly annotation: Readonly<Record<string, unknown>>;
      /** The same in the words of Anthropic's API, for clients that speak it. Absent: no model of it said this. */
      readonly citation?: Readonly<Record<string, unknown>>;
    }
  | { readonly type: 'text-end'; readonly part: number }
  | { readonly type: 'refusal-start'; readonly part: number }
  | { readonly type: 'refusal-delta'; readonly part: number; readonly delta: string }
  | { readonly type: 'refusal-end'; readonly part: number }
  | {
      readonly type: 'reasoning-start';
      readonly part: number;
      /** The dialect that can read the thought again, if it is known before the thought ends. */
      readonly format?: string;
    }
  | { readonly type: 'reasoning-delta'; readonly part: number; readonly delta: string }
  | {
      readonly type: 'reasoning-summary-delta';
      readonly part: number;
      /** Which summary of the part: they come one after the other, from 0. */
      readonly summary: number;
      readonly delta: string;
    }
  | {
      readonly type: 'reasoning-end';
      readonly part: number;
      /** The data that the upstream wants back with the next turn. */
      readonly replay?: ReasoningReplay;
    }
  | {
      readonly type: 'tool-call-start';
      readonly part: number;
      readonly callId: string;
      readonly name: string;
      /** True: what follows is free text, not JSON. */
      readonly isCustom?: boolean;
      /** The namespace of the tool, if it has one. */
      readonly namespace?: string;
      /** The model goes on without waiting for the answer. */
      readonly isAsync?: boolean;
      /** The call that began the worker which made this one. Absent: the model itself made it. */
      readonly subagentId?: string;
    }
  | { readonly type: 'tool-call-delta'; readonly part: number; readonly delta: string }
  | {
      readonly type: 'tool-call-end';
      readonly part: number;
      /** The conversation of the worker in the words of the contract. Absent: another call has it. */
      readonly subagentItems?: readonly Readonly<Record<string, unknown>>[];
    }
  /**
   * The upstream sent a text twice, in deltas and as a whole, and the two differ. `short`: the deltas lacked the rest,
   * which follows as a delta. `contrary`: `text` replaces the text of the part so far, or of one summary. `late`: the
   * part has ended, so its text stays.
   */
  | {
      readonly type: 'correction';
      readonly part: number;
      readonly difference: TellingDifference;
      readonly text?: string;
      /** The summary of a thought that `text` replaces. */
      readonly summary?: number;
    }
  /** The upstream reported an impossible usage. Holds the report as received, truncated when long. */
  | { readonly type: 'unread-usage'; readonly raw: string }
  /** A picture, whole. */
  | {
      readonly type: 'image';
      readonly part: number;
      readonly base64: string;
      /** Absent: `image/png`. */
      readonly mediaType?: string;
    }
  /** The vectors of all inputs, in the order of the inputs. */
  | { readonly type: 'embeddings'; readonly vectors: readonly EmbeddingVector[] }
  /** The documents with their relevance, the most relevant first. */
  | { readonly type: 'ranks'; readonly ranks: readonly Rank[] }
  /** An item that the upstream's own tools made, as it was when it began and when it was done. */
  | {
      readonly type: 'native-start' | 'native-end';
      readonly part: number;
      /** In the words of the contract. */
      readonly item: Readonly<Record<string, unknown>>;
      /** The call and its result in the words of Anthropic's API. Absent: no model of it said this. */
      readonly block?: ResultBlock;
    }
  | {
      readonly type: 'finish';
      readonly reason: FinishReason;
      /** The upstream's own word for it. */
      readonly nativeReason: string | undefined;
      /** The text of the request's `stop` that ended the answer. Absent: none, or the upstream does not tell. */
      readonly stopSequence?: string;
      /** The budget of the caller that lacks the cost of the next model call, or of a call of a tool. Absent: none. */
      readonly budget?: ErrorCode;
      /** The upstream's words about its refusal, beside the reason. */
      readonly stopDetails?: StopDetails;
      /** If undefined, the upstream reported none. The meter estimates the usage and marks it as an estimate. */
      readonly usage: TokenUsage | undefined;
      /** The tier that served it, when the upstream says so. */
      readonly serviceTier?: 'default' | 'flex' | 'priority' | 'ultrafast';
    }
  /** The generation broke. Before the first output it may become another attempt or a status. */
  | {
      readonly type: 'error';
      readonly code: ErrorCode;
      readonly message: string;
      readonly providerCode: string | undefined;
      /** The wait that the upstream asks for, in seconds. */
      readonly waitSeconds?: number | undefined;
      /** The usage until then, if the upstream reported it. */
      readonly usage: TokenUsage | undefined;
    };

/** The end of an answer. No part follows it. */
export type LastPart = Extract<StreamPart, { type: 'finish' | 'error' }>;

/** The way in which the whole text of an upstream differs from its deltas. */
export type TellingDifference = 'short' | 'contrary' | 'late';

/** The phase of an assistant's message, from models that name it. */
export type Phase = 'commentary' | 'final_answer';

export interface Logprob {
  readonly token: string;
  readonly logprob: number;
  readonly bytes: readonly number[];
  readonly top_logprobs: readonly {
    readonly token: string;
    readonly logprob: number;
    readonly bytes: readonly number[];
  }[];
}

export interface ReasoningReplay {
  readonly encrypted?: string;
  readonly signature?: string;
  /** The dialect that can read it, like `anthropic-claude-v1`. */
  readonly format: string;
}

/** The reason for a model's refusal, as far as its upstream reports it. */
export interface StopDetails {
  readonly category: string | null;
  readonly explanation: string | null;
}

export type FinishReason = 'stop' | 'length' | 'tool-calls' | 'content-filter';

export function isLast(part: StreamPart): part is LastPart {
  return part.type === 'finish' || part.type === 'error';
}

/** The commit point: from the first of these on, no other endpoint is tried. */
export function isOutput(part: StreamPart): boolean {
  return part.type !== 'response-start' && part.type !== 'error' && part.type !== 'unread-usage';
}
