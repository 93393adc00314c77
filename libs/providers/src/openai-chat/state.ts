import type { OpenThought } from './details.ts';
import type { Source } from './sources.ts';

/** The state of a chat completion stream. */
export interface ChatState {
  readonly id: string | undefined;
  readonly started: boolean;
  /** The number of the next part. */
  readonly nextPart: number;
  /** The text, refusal or reasoning in progress. Only one is open at a time. */
  readonly open:
    | {
        readonly kind: ProseKind;
        readonly part: number;
        readonly length: number;
        /** The data that the maker of a thought wants back. */
        readonly thought?: OpenThought;
      }
    | undefined;
  /** The sources so far. They become annotations of the next text that ends. */
  readonly sources: readonly Source[];
  readonly hasCited: boolean;
  /** Calls by their `index`. All stay open until the end, because some servers interleave them. */
  readonly tools: ReadonlyMap<number, OpenTool>;
  readonly finishReason: string | undefined;
  /** The latest usage. */
  readonly usage: unknown;
  /** The latest chunk has the usage alone. */
  readonly hasFinalUsage: boolean;
  /** The latest tier. */
  readonly serviceTier: unknown;
  /** A `finish` or `error` part was emitted. Later events are ignored. */
  readonly ended: boolean;
}

export interface OpenTool {
  /** Undefined until the name of the function arrives. */
  readonly part: number | undefined;
  readonly id: string | undefined;
  /** The arguments that arrived before the name. */
  readonly waiting?: string;
}

export type ProseKind = 'text' | 'refusal' | 'reasoning';

export const noTools: ChatState['tools'] = new Map();

export const initialChatState: ChatState = {
  id: undefined,
  started: false,
  nextPart: 0,
  open: undefined,
  sources: [],
  hasCited: false,
  tools: noTools,
  finishReason: undefined,
  usage: undefined,
  hasFinalUsage: false,
  serviceTier: undefined,
  ended: false,
};

/** A mutable copy of the state while one event is read. */
export type Draft = { -readonly [Field in keyof ChatState]: ChatState[Field] };
