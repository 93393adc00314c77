import type { WireItem, WirePart } from './output-item.ts';
import type { ResponseObject } from './response-object.ts';

interface InItem {
  readonly item_id: string;
  readonly output_index: number;
}

interface InContent extends InItem {
  readonly content_index: number;
}

/** What an event says, before it has its place in the stream. */
export type EventBody =
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
      readonly logprobs: readonly [];
    })
  | (InContent & {
      readonly type: 'response.output_text.done';
      readonly text: string;
      readonly logprobs: readonly [];
    })
  | (InContent & {
      readonly type: 'response.refusal.delta' | 'response.reasoning_text.delta';
      readonly delta: string;
    })
  | (InContent & { readonly type: 'response.refusal.done'; readonly refusal: string })
  | (InContent & { readonly type: 'response.reasoning_text.done'; readonly text: string })
  | (InItem & { readonly type: 'response.function_call_arguments.delta'; readonly delta: string })
  | (InItem & {
      readonly type: 'response.function_call_arguments.done';
      readonly arguments: string;
      readonly name: string;
    });

/** One event of a stream. Numbers count from 0 over all events of a response. */
export type ResponseEvent = EventBody & { readonly sequence_number: number };
