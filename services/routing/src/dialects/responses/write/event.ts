import type { Logprob, ToolProgress } from '@sluice/inference';
import type { SentBody } from '../../dialect.ts';
import type { WireItem, WirePart } from './output-item.ts';
import type { ResponseObject } from './response-object.ts';

interface InItem {
  readonly item_id: string;
  readonly output_index: number;
}

interface InContent extends InItem {
  readonly content_index: number;
}

interface InSummary extends InItem {
  readonly summary_index: number;
}

/** The body of an event without its sequence number. */
export type EventBody =
  | { readonly type: 'response.debug'; readonly debug: { readonly echo_upstream_body: SentBody } }
  | {
      readonly type:
        | 'response.created'
        | 'response.in_progress'
        | 'response.completed'
        | 'response.incomplete'
        | 'response.failed';
      readonly response: ResponseObject;
    }
  | {
      readonly type: 'response.output_item.added' | 'response.output_item.done';
      readonly output_index: number;
      readonly item: WireItem;
    }
  | (InContent & {
      readonly type: 'response.content_part.added' | 'response.content_part.done';
      readonly part: WirePart;
    })
  | (InContent & {
      readonly type: 'response.output_text.delta';
      readonly delta: string;
      readonly logprobs: readonly Logprob[];
    })
  | (InContent & {
      readonly type: 'response.output_text.done';
      readonly text: string;
      readonly logprobs: readonly Logprob[];
    })
  | (InContent & {
      readonly type: 'response.refusal.delta' | 'response.reasoning_text.delta';
      readonly delta: string;
    })
  | (InContent & { readonly type: 'response.refusal.done'; readonly refusal: string })
  | (InContent & { readonly type: 'response.reasoning_text.done'; readonly text: string })
  | (InContent & {
      readonly type: 'response.output_text.annotation.added';
      readonly annotation_index: number;
      readonly annotation: Readonly<Record<string, unknown>>;
    })
  | (InSummary & {
      readonly type:
        | 'response.reasoning_summary_part.added'
        | 'response.reasoning_summary_part.done';
      readonly part: WirePart;
    })
  | (InSummary & { readonly type: 'response.reasoning_summary_text.delta'; readonly delta: string })
  | (InSummary & { readonly type: 'response.reasoning_summary_text.done'; readonly text: string })
  | (InItem & {
      readonly type:
        | 'response.function_call_arguments.delta'
        | 'response.custom_tool_call_input.delta';
      readonly delta: string;
    })
  | (InItem & { readonly type: 'response.custom_tool_call_input.done'; readonly input: string })
  | (InItem & {
      readonly type:
        | 'response.image_generation_call.in_progress'
        | 'response.image_generation_call.generating'
        | 'response.image_generation_call.completed';
    })
  /** The fields of `ToolProgress` stand beside these. */
  | (InItem & {
      readonly type: `response.${Exclude<ToolProgress['event'], `output_text.${string}`>}`;
    })
  | (InItem & {
      readonly type: 'response.function_call_arguments.done';
      readonly arguments: string;
      readonly name: string;
    });

/** One event of a stream. Numbers count from 0 over all events of a response. */
export type ResponseEvent = EventBody & { readonly sequence_number: number };
