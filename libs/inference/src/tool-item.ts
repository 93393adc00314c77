import type { StreamPart } from './part.ts';
import type { ResultBlock } from './result-block.ts';

/** An output item of a tool of the service, without its id. Its `type` is in the words of the contract. */
export type ToolItem = Readonly<Record<string, unknown>> & {
  readonly type: string;
  readonly status: 'in_progress' | 'completed' | 'incomplete' | 'failed';
};

/** The items that the service makes, beside the parts of the upstream. `part` is the number of the model's call. */
export type ToolItemPart =
  | { readonly type: 'tool-item-start'; readonly part: number; readonly item: ToolItem }
  | {
      readonly type: 'tool-item-progress';
      readonly part: number;
      readonly progress: ToolProgress;
    }
  /** The item stays in progress: a later response goes on with it. */
  | { readonly type: 'tool-item-suspend'; readonly part: number }
  | {
      readonly type: 'tool-item-end';
      readonly part: number;
      /** The type is that of the item as it began. */
      readonly item: ToolItem;
      readonly call: ServedCall;
    };

/** A progress event of `POST /responses`, without `response.` and without its place. Other dialects have none. */
export type ToolProgress =
  | {
      readonly event:
        | `web_search_call.${'in_progress' | 'searching' | 'completed'}`
        | `image_generation_call.${'in_progress' | 'generating' | 'completed'}`
        | `code_interpreter_call.${'in_progress' | 'interpreting' | 'completed'}`
        | `fusion_call.${'in_progress' | 'completed'}`;
    }
  | {
      readonly event: 'image_generation_call.partial_image';
      readonly fields: {
        readonly partial_image_b64: string;
        readonly partial_image_index: number;
      };
    }
  | {
      readonly event: 'apply_patch_call_operation_diff.delta' | 'code_interpreter_call_code.delta';
      readonly fields: { readonly delta: string };
    }
  | {
      readonly event: 'apply_patch_call_operation_diff.done';
      readonly fields: { readonly diff: string };
    }
  | {
      readonly event: 'code_interpreter_call_code.done';
      readonly fields: { readonly code: string };
    }
  | { readonly event: 'fusion_call.panel.added'; readonly fields: { readonly model: string } }
  | {
      readonly event: 'fusion_call.panel.delta' | 'fusion_call.panel.reasoning.delta';
      readonly fields: { readonly model: string; readonly delta: string };
    }
  | {
      readonly event: 'fusion_call.panel.completed';
      readonly fields: { readonly model: string; readonly content: string };
    }
  | {
      readonly event: 'fusion_call.panel.failed';
      readonly fields: {
        readonly model: string;
        readonly error: string;
        readonly status_code?: number;
      };
    }
  | {
      readonly event: 'fusion_call.analysis.in_progress';
      readonly fields: { readonly analyst_model: string; readonly judge_model: string };
    }
  | {
      readonly event: 'fusion_call.analysis.completed';
      readonly fields: { readonly analysis: Readonly<Record<string, unknown>> };
    }
  /** The text of an advisor. */
  | {
      readonly event: 'output_text.delta';
      readonly fields: {
        readonly content_index: 0;
        readonly delta: string;
        readonly logprobs: readonly [];
      };
    }
  | {
      readonly event: 'output_text.done';
      readonly fields: {
        readonly content_index: 0;
        readonly text: string;
        readonly logprobs: readonly [];
      };
    };

/** A call that the service ran, for the dialects that show calls and results apart. */
export interface ServedCall {
  readonly callId: string;
  /** The name of the tool, such as `service_datetime`. */
  readonly name: string;
  /** JSON of an object. */
  readonly arguments: string;
  /** The text that the model reads. */
  readonly result: string;
  readonly isError: boolean;
  /** Pages that the result is made of. Absent: none. */
  readonly sources?: readonly ReadPage[] | undefined;
  /** Replaces the usual form in `POST /messages`. */
  readonly block?: ResultBlock | undefined;
}

/** A page that a tool gave to the model. */
export interface ReadPage {
  readonly url: string;
  readonly title: string;
  /** The text of the page, or a part of it. */
  readonly content: string;
}

/** A part before the last one, of an upstream or of the service. */
export type AnswerPart = UpstreamPart | ToolItemPart;

/** A part of an upstream before the last one. */
export type UpstreamPart = Exclude<StreamPart, { type: 'finish' | 'error' }>;
