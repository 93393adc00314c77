import type { InferenceRequest, StreamPart } from '@sluice/inference';
import type { Endpoint } from './endpoint.ts';
import type { HistoryNeeds } from './history/history-needs.ts';
import type { ServedUsage } from './served-usage.ts';
import type { NamePattern, PlainRequest } from './plain-request.ts';
import type { UpstreamError } from './upstream-error.ts';

/** The functions of one dialect that the transport needs. All of them are pure. */
export type Translator = Dialect & (PlainTools | AllTools);

/** The dialect has functions alone. Other tools are rendered as functions, and their calls are restored. */
interface PlainTools {
  readonly hasAllTools?: never;
  /** Returns the wire body of a canonical request. */
  readonly body: (endpoint: Endpoint, request: PlainRequest) => unknown;
}

/** The dialect has namespaces and freeform tools. */
interface AllTools {
  readonly hasAllTools: true;
  readonly body: (endpoint: Endpoint, request: InferenceRequest) => unknown;
}

interface Dialect {
  /** Returns the path that is appended to the endpoint's base URL. */
  readonly path: (endpoint: Endpoint, request: InferenceRequest) => string;
  /** Returns the headers of a request. Absent: the key is sent as a bearer token. */
  readonly headers?: (
    apiKey: string | undefined,
    betas: readonly string[],
  ) => Readonly<Record<string, string>>;
  /** The form that the dialect needs of a conversation. */
  readonly history: HistoryNeeds;
  /** The names that the API accepts of functions. */
  readonly names: NamePattern;
  /** Creates a reader of one event stream. */
  readonly stream: () => StreamReader;
  /** Returns the parts of a whole body, or an `error` part if it is malformed. */
  readonly whole: (body: unknown) => readonly StreamPart[];
  /** The calls for vectors. Absent: the dialect has none. */
  readonly embeddings?: EmbeddingsWire;
  /** Reads the body of a status other than 2xx. */
  readonly error: (status: number, body: unknown) => UpstreamError;
  /** The path of a stored answer and the reader of its body. Absent if the provider stores none. */
  readonly stored?: {
    readonly path: (upstreamId: string) => string;
    readonly read: (body: unknown) => ServedUsage;
  };
}

/** The calls of a dialect that ask for vectors. */
export interface EmbeddingsWire {
  /** The most inputs of one call. */
  readonly inputsMax: number;
  readonly path: (endpoint: Endpoint) => string;
  readonly body: (endpoint: Endpoint, request: InferenceRequest) => unknown;
  /** Returns the parts of a body with one vector per input, or an `error` part if it is malformed. */
  readonly whole: (body: unknown, inputs: number) => readonly StreamPart[];
}

/** Reads the `data` of one server-sent event after the other. */
export interface StreamReader {
  readonly push: (data: string) => readonly StreamPart[];
  /** Handles the end of the body. Returns `finish` or `error` if the stream lacks it. */
  readonly end: () => readonly StreamPart[];
}

/** The result of an event: the next state and its parts. */
export type Step<State> = readonly [State, readonly StreamPart[]];

/** Drives a pure step function over a stream. */
export function streamReader<State, Event>(machine: {
  readonly initial: State;
  readonly read: (data: string) => Event;
  readonly step: (state: State, event: Event) => Step<State>;
  readonly end: (state: State) => Step<State>;
}): StreamReader {
  let state = machine.initial;
  const advance = ([next, parts]: Step<State>): readonly StreamPart[] => {
    state = next;
    return parts;
  };
  return {
    push: (data) => advance(machine.step(state, machine.read(data))),
    end: () => advance(machine.end(state)),
  };
}
