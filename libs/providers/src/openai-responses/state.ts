import type { Phase } from '@sluice/inference';
import type { SentText } from './reconcile.ts';

/** The state of a response stream. */
export interface ResponsesState {
  readonly started: boolean;
  readonly nextPart: number;
  /** Items by `output_index`. A finished item stays, so that later events for it are ignored. */
  readonly items: ReadonlyMap<number, ItemState>;
  /** The `output_index` of items by their id, because the terminal event of some servers counts anew. */
  readonly indexes: ReadonlyMap<string, number>;
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
  readonly call?: CallState;
  readonly native?: { readonly part: number; readonly item: Readonly<Record<string, unknown>> };
}

export interface ProseState {
  readonly part: number;
  readonly kind: 'text' | 'refusal';
  readonly annotations: number;
  readonly sent: SentText;
}

export interface CallState {
  readonly part: number;
  readonly isCustom: boolean;
  readonly sent: SentText;
}

export interface ThoughtState {
  readonly part: number;
  /** The summaries that have begun, by position. */
  readonly summaries: readonly SentText[];
  readonly content: SentText;
}

/** Bounds the output items and their parts. No real answer has more. */
export const partsMax = 1_024;

export const initialResponsesState: ResponsesState = {
  started: false,
  nextPart: 0,
  items: new Map(),
  indexes: new Map(),
  hasToolCalls: false,
  ended: false,
};
