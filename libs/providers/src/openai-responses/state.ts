import type { Phase } from '@sluice/inference';

/** The state of a response stream. */
export interface ResponsesState {
  readonly started: boolean;
  readonly nextPart: number;
  /** Items by `output_index`. A finished item stays, so that later events for it are ignored. */
  readonly items: ReadonlyMap<number, ItemState>;
  readonly hasToolCalls: boolean;
  /** A `finish` or `error` part was emitted. Later events are ignored. */
  readonly ended: boolean;
}

/** The emitted parts of an output item. An item has at most one of these kinds. */
export interface ItemState {
  readonly isDone?: boolean;
  readonly phase?: Phase;
  /** The texts of a message that have begun, by position. */
  readonly texts?: ReadonlyMap<number, ProseState>;
  readonly thought?: ThoughtState;
  readonly call?: { readonly part: number; readonly hasText: boolean };
  readonly native?: { readonly part: number; readonly item: Readonly<Record<string, unknown>> };
}

export interface ProseState {
  readonly part: number;
  readonly kind: 'text' | 'refusal';
  readonly annotations: number;
}

export interface ThoughtState {
  readonly part: number;
  /** The number of summaries that have begun. */
  readonly summaries: number;
  readonly hasContent: boolean;
}

/** Bounds the output items and their parts. No real answer has more. */
export const partsMax = 1_024;

export const initialResponsesState: ResponsesState = {
  started: false,
  nextPart: 0,
  items: new Map(),
  hasToolCalls: false,
  ended: false,
};
