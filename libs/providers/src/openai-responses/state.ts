/** The state of a response stream. */
export interface ResponsesState {
  readonly started: boolean;
  readonly nextPart: number;
  /** By `output_index`; an item that is done stays, so that nothing adds to it. */
  readonly items: ReadonlyMap<number, ItemState>;
  readonly hasToolCalls: boolean;
  /** `finish` or `error` was told: nothing counts any more. */
  readonly ended: boolean;
}

/** The part of an output item that was passed on. An item is one of these. */
export interface ItemState {
  readonly isDone?: boolean;
  /** The texts of a message that have begun, by place. */
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
  /** How many summaries have begun. */
  readonly summaries: number;
  readonly hasContent: boolean;
}

/** More output items, or texts in them, than this is an attack, not an answer. */
export const partsMax = 1_024;

export const initialResponsesState: ResponsesState = {
  started: false,
  nextPart: 0,
  items: new Map(),
  hasToolCalls: false,
  ended: false,
};
