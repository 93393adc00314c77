import type { Logprob } from '@sluice/inference';

/** A piece of an answer, as a client adds it to its message. */
export interface Delta {
  readonly role?: 'assistant';
  readonly content?: string;
  readonly refusal?: string;
  readonly reasoning?: string;
  readonly reasoning_details?: readonly ReasoningDetail[];
  readonly tool_calls?: readonly CallDelta[];
  readonly function_call?: { readonly name?: string; readonly arguments: string };
  readonly annotations?: readonly Annotation[];
  readonly images?: readonly WireImage[];
}

/** A delta, and the log probabilities of its tokens. */
export interface ToldDelta {
  readonly delta: Delta;
  readonly logprobs?: readonly Logprob[];
}

/** Details of one thought share an id and an index. Texts of the same kind and index are pieces of one text. */
export type ReasoningDetail = ThoughtMark &
  (
    | {
        readonly type: 'reasoning.text';
        readonly text?: string;
        readonly signature?: string;
      }
    | { readonly type: 'reasoning.summary'; readonly summary: string }
    | { readonly type: 'reasoning.encrypted'; readonly data: string }
    | {
        readonly type: 'reasoning.server_tool_call';
        readonly tool_name: string;
        /** JSON of an object. */
        readonly arguments: string;
        readonly result: string;
        readonly tool_call_id: string;
      }
  );

/** The fields by which a thought is found again. */
export interface ThoughtMark {
  readonly id: string;
  readonly index: number;
  readonly format: string;
}

export interface CallDelta {
  readonly index: number;
  readonly id?: string;
  readonly type?: 'function' | 'custom';
  readonly function?: { readonly name?: string; readonly arguments: string };
  readonly custom?: { readonly name?: string; readonly input: string };
}

export interface Annotation {
  readonly type: string;
  readonly [name: string]: unknown;
}

export interface WireImage {
  readonly type: 'image_url';
  readonly index: number;
  readonly image_url: { readonly url: string };
}
